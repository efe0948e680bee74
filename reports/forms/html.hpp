// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report as a web page of one file: findings with their source lines, call stacks and the tasks drawn. It is
// well-formed XML too, has no scripts and loads nothing.
#pragma once

#include "reports/explanation/diagnostic.hpp"

#include <string>
#include <vector>

namespace fletcher::reports {

/// `runs`: what the diagnostics come from. `warnings`: one line each, about the report itself. What is suppressed or
/// known from the baseline is counted, not shown.
std::string html_report(const std::vector<Run>& runs, const std::vector<Diagnostic>& diagnostics, SourceText& sources,
                        const std::vector<std::string>& warnings);

} // namespace fletcher::reports
