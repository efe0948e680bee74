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

} // namespace fletcher::tool
