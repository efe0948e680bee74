// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report as a compiler writes it: file:line:col: error: ... [rule], then note: lines, source lines with a caret and
// call stacks. Editors' problem matchers read it as they read a compiler's output.
#pragma once

#include "reports/explanation/diagnostic.hpp"

#include <string>
#include <vector>

namespace fletcher::reports {

struct TextStyle {
  bool color = false;
  bool verbose = false; ///< also says what was checked when there is nothing to report
};

/// `runs`: what the diagnostics come from. Empty if there is nothing to say.
std::string text_report(const std::vector<Run>& runs, const std::vector<Diagnostic>& diagnostics, SourceText& sources,
                        const TextStyle& style);

} // namespace fletcher::reports
