// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether two processes found the same: by the places in files that a finding's addresses of code are, whatever memory
// each process had its modules and data in.
#pragma once

#include "reports/document/document.hpp"

#include <string>

namespace fletcher::reports {

/// Findings with equal keys read the same except for numbers of threads and tasks, and for places inside of a block.
std::string finding_key(const Document& document, const Finding& finding);

} // namespace fletcher::reports
