// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions a program calls in which of its libraries, read from their files, and of which a table says what they
// read and write.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fletcher::cli {

struct CalledLibrary {
  std::string name;
  std::vector<std::string> known, unknown; ///< functions, by name
};

/// In the order in which the dynamic linker loads them; without those that are part of the system, of compilers or of
/// Fletcher. Nothing for a file that is no dynamically linked program.
std::vector<CalledLibrary> called_libraries(const std::filesystem::path& program);

} // namespace fletcher::cli
