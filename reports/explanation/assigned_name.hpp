// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What memory without a name is called in the line that writes it. gcc and gfortran hand variables that a region shares
// over in a structure of their own, whose members have no names in debug information.
#pragma once

#include "reports/explanation/explain.hpp"
#include "reports/repair/repair.hpp"

#include <vector>

namespace fletcher::reports {

/// Gives an object on a stack the name that all statements which write it set; leaves it alone where they differ, or
/// set something else than a variable.
void name_by_assignment(Object& object, const std::vector<Side>& sides, Codes& codes);

} // namespace fletcher::reports
