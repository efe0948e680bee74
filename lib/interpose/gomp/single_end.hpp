// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where gcc's single construct ends, of which the code tells the runtime nothing: at the barrier that follows, unless
// it has `nowait`. Read off the machine code: who does not execute the construct goes to the barrier at once.
#pragma once

#include "checker/ids.hpp"

namespace fletcher::interpose {

/// `return_address`: of the construct's first call. `in_body`: in the function of the region itself, behind which there
/// is the region's barrier. False where it is not known. The code is read once for each place.
bool ends_at_barrier(Address return_address, bool in_body) noexcept;

} // namespace fletcher::interpose
