// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cli/helpers.hpp"

#include "tools/common/installation.hpp"

namespace fletcher::cli {

void add_helpers(reports::RenderOptions& options) {
  const tools::Installation installation = tools::find_installation();
  options.frame_variables = installation.frame_variables.string();
  const bool is_named = !options.symbolizer.empty() || !tools::environment("FLETCHER_SYMBOLIZER").empty();
  if (!is_named && tools::environment("DEBUGINFOD_URLS").empty()) options.symbolizer = installation.symbolizer.string();
}

} // namespace fletcher::cli
