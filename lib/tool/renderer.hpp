// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starting `fletcher render`: the process that symbolises and writes reports, so that the checked one need not.
#pragma once

#include "lib/tool/options.hpp"
#include "reports/document.hpp"

#include <string>

namespace fletcher::tool {

struct Rendering {
  std::string sarif;   ///< file; empty: none
  std::string text;    ///< file; empty: none
  bool console = true; ///< text on stderr (or log_path)
};

/// Waits for it. False, after one clear line, where it is missing or failed: then nothing was told.
bool render(const Options& options, const reports::Document& document, const Rendering& wish);

} // namespace fletcher::tool
