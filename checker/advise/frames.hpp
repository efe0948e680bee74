// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that use variables of other tasks' frames: a task that waits for them keeps these frames alive, directly or as
// a part of another wait, whatever the accesses say.
#pragma once

#include "checker/advise/tasks.hpp"

namespace fletcher::advise {

/// The constructs at which a task waited for such tasks.
std::set<Construct> frame_keepers(const Run& run, const Replay& order);

} // namespace fletcher::advise
