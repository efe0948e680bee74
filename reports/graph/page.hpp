// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of the task graph's page that are the same for every run.
#pragma once

#include <string_view>

namespace fletcher::reports {

extern const std::string_view graph_page_style, graph_page_body, graph_page_script;

} // namespace fletcher::reports
