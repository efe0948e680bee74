// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings that one change removes are one diagnostic: the reader repairs a cause, not each pair of lines that it
// brings together.
#pragma once

#include "reports/explanation/diagnostic.hpp"

#include <vector>

namespace fletcher::reports {

/// Puts diagnostics of one cause together: the first of them leads, the others become its `Diagnostic::also`. One cause
/// is
/// - one change at one place, such as a taskwait that is missing before one line;
/// - one variable whose accesses exclude each other nowhere or not everywhere;
/// - one variable that tasks of the same two constructs access in the wrong order;
/// - one construct's task that outlives the variables of one function.
/// What is suppressed stays apart. The leader's fingerprint is then the cause's: it is the same whichever pairs of
/// lines a run brings together. Takes and returns the order of merged().
std::vector<Diagnostic> grouped_by_cause(std::vector<Diagnostic> diagnostics, SourceText& sources);

} // namespace fletcher::reports
