// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares what was reported with what was expected.
#pragma once

#include "diagnostics.hpp"
#include "expectation.hpp"

#include <string>
#include <vector>

namespace fletcher::programs {

/// Which accesses the run could show.
enum class Level { native, graph };

/// Every difference, as a sentence; empty if the program was judged as its comments say. At level graph no race has to
/// be found.
std::vector<std::string> differences(const Expectation& expected, const std::vector<Reported>& reported, Level level);

} // namespace fletcher::programs
