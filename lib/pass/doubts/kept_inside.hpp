// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections of locks from which nothing that was read there goes on but by memory that the library sees accesses of: a
// table that is looked up and changed, a text that is printed. What follows such a section is what it would be without.
// Relies on lock_sections.hpp.
#pragma once

#include <llvm/IR/InstrTypes.h>

namespace fletcher::pass {

/// The call takes a lock. No value that its section computes is used behind it, the way on does not depend on it, and
/// all that it writes in variables which only this function knows stays in it. Complexity: O(instructions of the
/// section and of the functions that it calls).
bool keeps_inside(llvm::CallBase& lock);

} // namespace fletcher::pass
