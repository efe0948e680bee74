// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the process knows of the object at an address; the names come from debug information, later.
#pragma once

#include "checker/finding.hpp"

namespace fletcher::interpose {

/// Heap blocks with the stack of their allocation; of a thread's stack the frame that owns the address.
/// ObjectKind::unknown for the rest. To be called while the finding is made: the block or frame may be gone later.
ObjectDescription describe(Address address);

} // namespace fletcher::interpose
