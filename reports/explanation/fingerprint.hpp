// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A name for a diagnostic that survives edits: made of the rule, the variable, and of each place its function and the
// text of its source line, not its line number. Two runs, or two versions of a program, agree on it.
#pragma once

#include "reports/explanation/diagnostic.hpp"

#include <string>
#include <vector>

namespace fletcher::reports {

/// 16 hexadecimal digits; the same whichever access of a race came first.
std::string fingerprint(const Diagnostic& diagnostic, SourceText& sources);

/// Of a cause (causes.hpp): made of its words and of the text of the source lines that it is about.
std::string cause_fingerprint(Rule rule, const std::vector<std::string>& words, const std::vector<SourcePlace>& places,
                              SourceText& sources);

} // namespace fletcher::reports
