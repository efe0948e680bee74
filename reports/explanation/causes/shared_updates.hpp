// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable that several tasks update by the same statement, a best value or a counter: nothing but exclusion keeps it
// right. What other tasks do with it lacks the same, though a wait or a depend clause would order those two.
#pragma once

#include "reports/explanation/diagnostic.hpp"

#include <vector>

namespace fletcher::reports {

/// Races of such an update with other accesses by other tasks get the cause and the advice of its race with itself.
/// One task that comes before the other by birth lacks a wait all the same. O(n log n).
void take_for_exclusion(std::vector<Diagnostic>& diagnostics, SourceText& sources);

} // namespace fletcher::reports
