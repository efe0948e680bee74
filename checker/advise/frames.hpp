// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that use variables of another task's frames: whoever waits for them keeps these frames alive, whatever the
// accesses say.
#pragma once

#include "checker/advise/tasks.hpp"

namespace fletcher::advise {

/// The constructs at which a task waited while others used variables in its frames.
std::set<Construct> frame_keepers(const Run& run, const Replay& order);

} // namespace fletcher::advise
