// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread keeps in registers and on its stack from one unit of work to the next may tell it what it did before.
// The compiler's plugin says so beforehand (lib/pass/doubts); of code without it, the machine code is asked.
#pragma once

#include "checker/ids.hpp"

namespace fletcher::ompt {

/// The running thread begins a worksharing construct the parts of which are units of work, or a masked one, by the call
/// that returns to `pc` (0: not known). O(calls that it is in) except for the first time that it comes there so, when
/// the code is read: milliseconds.
void doubt_own_values(Address pc);

} // namespace fletcher::ompt
