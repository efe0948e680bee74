// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings that are none once the lines of the code are known: the checked process has addresses only.
#pragma once

#include "reports/document/document.hpp"
#include "reports/symbols/symbols.hpp"

namespace fletcher::reports {

bool is_none(const Finding& finding, const SymbolTable& symbols);

} // namespace fletcher::reports
