// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's memory of tasks whose body ended while their event is open: it dies when the event is fulfilled, where
// the runtime cannot be asked for it any more. Rare, so a lock will do.
#pragma once

#include "checker/ids.hpp"
#include "lib/ompt/block.hpp"

#include <cstddef>

namespace fletcher::ompt {

void remember_block(TaskId task, Block block);
/// An empty block where none is known.
Block forget_block(TaskId task);

} // namespace fletcher::ompt
