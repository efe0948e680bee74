// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starting `fletcher render`: the process that symbolises and writes reports, so that the checked one need not.
#pragma once

#include "lib/tool/options.hpp"
#include "reports/document/document.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace fletcher::tool {

struct Rendering {
  std::string sarif;      ///< file; empty: none
  std::string html;       ///< file; empty: none
  std::string text;       ///< file; empty: none
  std::string graph;      ///< file; empty: none
  std::string_view trace; ///< what the graph is made of
  bool console = true;    ///< text on stderr (or log_path)
  bool files() const noexcept { return !sarif.empty() || !html.empty() || !text.empty() || !graph.empty(); }
};

enum class Rendered : std::uint8_t {
  failed, ///< nothing was reported
  clean,  ///< reported; no error is left after suppressions
  errors, ///< reported; there are errors
};

/// The environment as it is now is the renderer's: at the end the program may have changed or destroyed its own.
void remember_environment();

/// After remember_environment(). Waits for it. One clear line where it is missing or failed.
Rendered render(const Options& options, const reports::Document& document, const Rendering& wish);

} // namespace fletcher::tool
