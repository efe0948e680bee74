// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the code behind a call of an atomic operation looks at the result, where no compiler plugin says so: an
// `atomic` update leaves it, and so tells its thread nothing. Read off the machine code, once for each place.
#pragma once

#include "checker/ids.hpp"

namespace fletcher::instrument {

/// `pc` is inside the call. False where it is not known.
bool leaves_result(Address pc) noexcept;

} // namespace fletcher::instrument
