// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a test program is built: with Fletcher's compiler drivers, or without Fletcher at all.
#pragma once

#include "expectation.hpp"
#include "process.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace fletcher::programs {

/// One way to build and run a program: a column of the test matrix.
struct Configuration {
  std::string compiler;     ///< "clang" or "gcc"
  std::string optimisation; ///< "-O1"
  bool graph = false;       ///< not instrumented, checked by OMPT alone
  bool tsan = false;        ///< built for ThreadSanitizer, whose runtime the library takes the program over from
  /// Without Fletcher's drivers.
  bool stock() const noexcept { return graph || tsan; }
};

/// The folder of fletcher, fletcher-cc, …; FLETCHER_TEST_BIN in the environment decides, if it is set.
std::filesystem::path binaries();

/// The library that a runtime is to open by itself, beside them.
std::filesystem::path library();

/// The commands that make `executable`, in order. `plain`: without Fletcher.
std::vector<Command> build_commands(const Expectation& program, const Configuration& configuration,
                                    const std::filesystem::path& executable, bool plain);

} // namespace fletcher::programs
