// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler behind a driver: which one it is, and to which family of command lines it belongs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fletcher::drivers {

enum class Family { clang, gnu, flang };

struct Compiler {
  std::vector<std::string> command; ///< the program, after words such as "ccache" that the user put before it
  Family family;
  std::string variable; ///< the environment variable that chooses another
};

/// The compiler for a driver of the name `driver` ("fletcher-cc", "fletcher-c++", "fletcher-fc", with or without a
/// folder).
Compiler choose_compiler(std::string_view driver);

/// The major version of a clang, by its name (clang++-19) or else by what it answers; 0 where it tells none.
int major_version(const Compiler& compiler);

} // namespace fletcher::drivers
