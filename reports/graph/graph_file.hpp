// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the trace of a run to a file with its task graph.
#pragma once

#include "reports/document/document.hpp"
#include "reports/explanation/diagnostic.hpp"

#include <string>
#include <vector>

namespace fletcher::reports {

/// The form is that of the path's ending: .json, .dot, .graphml, or else a page. `diagnostics`: one for each finding.
Result<Done> write_graph(const std::string& path, const std::string& trace, const Document& document,
                         const std::vector<Diagnostic>& diagnostics, SourceText& sources,
                         const std::string& symbolizer);

} // namespace fletcher::reports
