// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The readers of input: each a function that takes any bytes, and examples of what it expects. Whatever the bytes are,
// the function returns. Used by mutations.cpp in every build and by libFuzzer in the long form of the tests.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fletcher::test {

struct Reader {
  const char* name;
  void (*read)(std::string_view input);
  std::vector<std::string> examples;
};

std::span<const Reader> readers();

} // namespace fletcher::test
