// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compiler with the plugin makes of a C function, as far as the checks in it are concerned.
#pragma once

#include "test/support/workshop.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace fletcher::test {

/// The checks in the functions of `source` in their order: the names of the library's functions that are called, a
/// constant last argument after it ("read_strided 8"); without those of function entry and exit, and without the
/// prefixes "__tsan_", "__fletcher_" and "__fletcher_untold_" (after a look in the program's own code).
struct Compiled {
  std::vector<std::string> checks;
  std::string code; ///< all of it, for the message where a test fails

  friend void PrintTo(const Compiled& compiled, std::ostream* out) { *out << compiled.code; }
};

/// The driver with the compiler that FLETCHER_TEST_CLANG names, or else with its usual one.
std::string driver();

/// By that driver, with -O1 -g and `flags`.
Compiled compile(const std::string& source, const std::string& flags = "");

} // namespace fletcher::test
