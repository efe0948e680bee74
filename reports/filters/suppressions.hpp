// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the user does not want to hear of: suppressions by function, source file or variable, in the manner of clang's
// special case lists, and a baseline, the SARIF file of an earlier run.
#pragma once

#include "reports/explanation/diagnostic.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

/// A file of lines `fun:glob`, `src:glob`, `var:glob`, under headings `[rule-glob]`; lines before the first heading are
/// for every rule. # begins a comment. One matching line suppresses: fun and src match any frame of either access.
class Suppressions {
public:
  /// `name` is for the error line only.
  static Result<Suppressions> parse(std::string_view text, const std::string& name);

  bool matches(const Diagnostic& diagnostic, const SourceText& sources) const;

private:
  enum class What { function, source, variable };
  struct Entry {
    std::string rules;
    What what;
    std::string pattern;
  };
  std::vector<Entry> entries_;
};

/// The fingerprints that a SARIF file of this tool contains.
Result<std::multiset<std::string>> read_baseline(std::string_view sarif, const std::string& name);

} // namespace fletcher::reports
