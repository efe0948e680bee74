// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many bytes the accesses of a race have by their own code. Shadow memory joins what one line does to a granule of
// eight bytes, and has only the granule's part of what is larger; the call that the compiler inserted tells.
#pragma once

#include "checker/finding.hpp"

namespace fletcher::tool {

/// Of each access of the race as many bytes as its call tells: one of several that shadow memory joined, or no size
/// where less was kept than it may have touched. Some system calls for each. Asks the dynamic linker: not while a lock
/// is held.
void tell_sizes(Finding& finding);

} // namespace fletcher::tool
