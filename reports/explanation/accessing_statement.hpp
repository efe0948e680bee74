// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the statement that makes an access says of it, where neither addresses nor debug information do.
#pragma once

#include "reports/explanation/explain.hpp"
#include "reports/repair/repair.hpp"

#include <vector>

namespace fletcher::reports {

/// Gives an object on a stack the name that all statements which write it set; leaves it alone where they differ, or
/// set something else than a variable. gcc and gfortran hand variables that a region shares over in a structure of
/// their own, whose members have no names in debug information.
void name_by_assignment(Object& object, const std::vector<Side>& sides, Codes& codes);

/// Gives a block of the heap the name of what it was allocated for, where all accesses name that and nothing else of
/// the allocating statement: an array of Fortran, by `allocate` or by a declaration of variable length, or a
/// std::vector of numbers.
void name_by_allocation(Object& object, const std::vector<Side>& sides, Codes& codes);

/// `a[i] = a[i - 1] + 1`: threads that execute one statement, which computes an element from others.
bool uses_other_iterations(const std::vector<Side>& sides, Codes& codes);

/// Tasks that execute one update of a variable or a member, `++visits_` or `q->mass += m`: they may do so in any order.
/// Not of elements, which a task may have to find updated.
bool update_one_member(const std::vector<Side>& sides, Codes& codes);

/// A construct around one of the accesses has a nowait clause, or may have it where it ends.
bool leaves_out_a_barrier(const std::vector<Side>& sides, Codes& codes);

} // namespace fletcher::reports
