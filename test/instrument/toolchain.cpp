// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/instrument/toolchain.hpp"

#include <gtest/gtest.h>

namespace fletcher::test {

const Toolchain& clang() {
  static const Toolchain the{"clang", FLETCHER_TEST_CLANG};
  return the;
}
const Toolchain& clangxx() {
  static const Toolchain the{"clangxx", FLETCHER_TEST_CLANGXX};
  return the;
}
const Toolchain& gcc() {
  static const Toolchain the{"gcc", FLETCHER_TEST_GCC};
  return the;
}
const Toolchain& gxx() {
  static const Toolchain the{"gxx", FLETCHER_TEST_GXX};
  return the;
}
const Toolchain& gfortran() {
  static const Toolchain the{"gfortran", FLETCHER_TEST_GFORTRAN};
  return the;
}

std::string library() { return FLETCHER_LIBRARY; }
std::string programs() { return FLETCHER_TEST_PROGRAMS; }
std::string include_folder() { return FLETCHER_TEST_INCLUDE; }

bool build(const Workshop& shop, const Toolchain& toolchain, const std::string& source, const std::string& flags,
           const std::string& name) {
  const std::string folder = library().substr(0, library().rfind('/'));
  const auto compiled = shop.run(toolchain.compiler + " -g -fopenmp -fsanitize=thread -fno-optimize-sibling-calls -I'" +
                                 include_folder() + "' " + flags + " -c '" + source + "' -o " + name + ".o");
  EXPECT_EQ(compiled.status, 0) << compiled.errors;
  // clang links the objects of all compilers: its OpenMP runtime is the one that tells events.
  const std::string linker =
      toolchain.name == clangxx().name || toolchain.name == gxx().name ? clangxx().compiler : clang().compiler;
  const auto linked = shop.run(linker + " " + name + ".o '" + library() + "' -Wl,-rpath,'" + folder + "' -fopenmp -o " +
                               name + (toolchain.name == gfortran().name ? " -lgfortran" : ""));
  EXPECT_EQ(linked.status, 0) << linked.errors;
  return compiled.status == 0 && linked.status == 0;
}

} // namespace fletcher::test
