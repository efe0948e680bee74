// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compilers and how a program of theirs is built on the library that this build made, without Fletcher's own drivers.
#pragma once

#include "test/support/workshop.hpp"

#include <string>

namespace fletcher::test {

struct Toolchain {
  std::string name;     ///< as a part of a test's name
  std::string compiler; ///< of the instrumented objects; empty where there is none on this machine
};

const Toolchain& clang();
const Toolchain& clangxx();
const Toolchain& gcc();
const Toolchain& gxx();
const Toolchain& gfortran();

/// The library's file, and the folder of this test's programs.
std::string library();
std::string programs();
/// Of the project.
std::string include_folder();

/// Compiles `source` (a path) in the shop to `name` and links it to the library; `flags` for the compile step. Fails
/// the test where a step fails.
bool build(const Workshop& shop, const Toolchain& toolchain, const std::string& source, const std::string& flags,
           const std::string& name);

} // namespace fletcher::test
