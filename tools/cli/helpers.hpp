// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs of this installation that rendering runs.
#pragma once

#include "reports/render.hpp"

namespace fletcher::cli {

/// Its own symbolizer unless the user names one, or servers of debug information, which it does not ask.
void add_helpers(reports::RenderOptions& options);

} // namespace fletcher::cli
