// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings that one change removes are one diagnostic: the reader repairs a cause, not each pair of lines that it
// brings together.
#pragma once

#include "reports/explanation/diagnostic.hpp"

#include <string>
#include <vector>

namespace fletcher::reports {

/// Puts diagnostics of one cause together: one leads, the others become its `Diagnostic::also`. One cause is
/// - one change at one place, such as a taskwait that is missing before one line;
/// - one variable whose accesses exclude each other nowhere or not everywhere, in one region or by the same tasks;
/// - one variable that tasks access without a dependence, and the clauses that match nothing in these tasks;
/// - two tasks that are not siblings, their depend clauses and the races between them;
/// - one variable, or one construct, of tasks that outlive a function;
/// - the places of one circle of locks or waits, whether it came about or was predicted;
/// - one region whose members meet different barriers;
/// - whatever one change removes: its edits are tried on what was recorded of the others
/// (reports/repair/trial/trial.hpp). What is suppressed stays apart. The leader's fingerprint is then the cause's: it
/// is the same whichever pairs of lines a run brings together. Takes and returns the order of merged().
std::vector<Diagnostic> grouped_by_cause(std::vector<Diagnostic> diagnostics, SourceText& sources);

/// The sentence of a fix without what is said of its trial.
std::string without_trial(const std::string& fix);

/// Of diagnostics that stay each on its own: takes away the edits that do not remove them.
void try_edits(std::vector<Diagnostic>& diagnostics, SourceText& sources);

} // namespace fletcher::reports
