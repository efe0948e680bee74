// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that died before anything was found, in sentences.
#pragma once

#include "reports/explanation/explain.hpp"

#include <string>
#include <vector>

namespace fletcher::reports {

/// Two lines: where the program died and in which task, and the region around that.
std::vector<std::string> explain_death(const Step& death, const SymbolTable& symbols, const SourceText& sources);

} // namespace fletcher::reports
