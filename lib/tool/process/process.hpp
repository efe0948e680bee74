// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the process knows of itself: its program, arguments, folder, and the time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fletcher::tool {

/// Path of the executable; empty where the kernel does not tell it any more.
std::string program_path();
/// Without the program itself.
std::vector<std::string> arguments();
std::string working_directory();
std::int64_t now_in_milliseconds() noexcept; ///< since 1970-01-01 UTC

/// Set by `fletcher run` for all that it starts: the number of the process that it became.
inline constexpr const char* run_variable = "FLETCHER_RUN_PID";
/// This is that process: who started it wants to know whether it was checked.
bool is_run();

/// Where this process writes what is to be written to `pattern` (%p: its number). Of all that `fletcher run` starts
/// only the process that it became writes to a path without %p; the others put their number before the path's suffix.
std::string own_file(const std::string& pattern);

} // namespace fletcher::tool
