// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program as a filter: text in, text out. Relies on POSIX; never goes through a shell.
#pragma once

#include "reports/document/result.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::reports {

/// Whether the program may fetch debug information from the servers that DEBUGINFOD_URLS names.
enum class Servers : bool { no, yes };

/// The program's standard output; its standard error is dropped. The environment is passed on without what would load
/// this checker (or another tool) into it: LD_PRELOAD, LD_AUDIT, OMP_TOOL*, FLETCHER_*. An error if it cannot be
/// started, runs too long or fails without output.
Result<std::string> run_filter(const std::string& program, const std::vector<std::string>& arguments,
                               std::string_view input, std::chrono::seconds limit, Servers servers = Servers::no);

} // namespace fletcher::reports
