// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections of locks and critical constructs that only bring variables up to date by their own values: `sum += x`,
// `if (a > most) most = a`. No thread draws a number there. Relies on flow.hpp and lock_sections.hpp.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace fletcher::pass {

/// What a section does, from the call that takes the lock to the one that lets it go.
using SectionBody = llvm::SmallPtrSet<const llvm::Instruction*, 32>;

/// The call takes a lock (lock_sections.hpp). What is read in the section that it begins, and may be changed there,
/// goes nowhere but into the place that it was read from. None where that is not so. Complexity: O(instructions of the
/// section, squared).
std::optional<SectionBody> only_updates(llvm::CallInst& lock);

} // namespace fletcher::pass
