// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections of locks and critical constructs that only bring variables up to date by their own values: `sum += x`,
// `if (a > most) most = a`. No thread draws a number there. Relies on flow.hpp and lock_sections.hpp.
#pragma once

#include <llvm/IR/Instructions.h>

namespace fletcher::pass {

/// The call takes a lock (lock_sections.hpp). What is read in the section that it begins, and may be changed there,
/// goes nowhere but into the place that it was read from. Complexity: O(instructions of the section, squared).
bool only_updates(llvm::CallInst& lock);

} // namespace fletcher::pass
