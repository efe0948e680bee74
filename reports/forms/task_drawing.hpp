// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the task graph that a finding is about, as a drawing for a web page (SVG 1.1): the tasks that meet, who
// created them up to the one that created both, and what is not ordered.
#pragma once

#include "reports/explanation/diagnostic.hpp"

#include <string>

namespace fletcher::reports {

/// Empty where nothing is known of the tasks. Colours are the page's (html_style.hpp).
std::string task_drawing(const Diagnostic& diagnostic, const SourceText& sources);

} // namespace fletcher::reports
