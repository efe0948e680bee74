// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What two reports have in common and what not, by the findings' fingerprints: the text of `fletcher diff`.
#pragma once

#include "reports/render.hpp"

#include <string>
#include <vector>

namespace fletcher::reports {

/// A finding in a line, as a SARIF file has it as well.
struct ShortFinding {
  std::string fingerprint;
  Severity severity = Severity::error;
  std::string line; ///< "a.c:12: error: data race: … [data-race]"
};

/// Of a SARIF file of this tool, or else of the documents. What is suppressed is left out.
Result<std::vector<ShortFinding>> short_findings(const RenderOptions& options);

struct Difference {
  std::vector<ShortFinding> fresh, gone;
  std::size_t unchanged = 0;
};
/// Findings with equal fingerprints stand for one each.
Difference difference(const std::vector<ShortFinding>& before, const std::vector<ShortFinding>& after);

} // namespace fletcher::reports
