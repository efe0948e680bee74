// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The private copies of task reductions: they belong to a thread, and its tasks share them legitimately, so accesses to
// them are not judged. The runtime has them from malloc and gives them back when the reduction is over.
#pragma once

#include "checker/ids.hpp"

namespace fletcher::interpose {

/// The runtime frees the block at `base`: what it held of reduction copies is over. Cheap where there are none.
void reduction_copies_end(Address base);

} // namespace fletcher::interpose
