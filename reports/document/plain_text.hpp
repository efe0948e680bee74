// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings as text without symbols: what the checked process prints itself when the renderer cannot be started, so that
// nothing is lost. Needs neither a subprocess nor files.
#pragma once

#include "reports/document/document.hpp"

#include <string>

namespace fletcher::reports {

/// One diagnostic per finding, places as module+0xoffset:0; the same line shapes as the full text form. Paths of
/// modules are shortened to their last part. Ends with the summary line; empty if there are no findings.
std::string plain_text(const Document& document);

} // namespace fletcher::reports
