// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the random program of a seed: `print_programs SEED clang|gcc`, for whoever looks at it by other means
// (test/stability).
#include "generate.hpp"
#include "source.hpp"

#include <cstdlib>
#include <iostream>
#include <string_view>
#include <vector>

int main(int count, char** arguments) {
  using namespace fletcher::compiled;
  if (count != 3) return 2;
  const std::uint64_t seed = std::strtoull(arguments[1], nullptr, 10);
  const bool gcc = std::string_view(arguments[2]) == "gcc";
  std::vector<Program> programs{generate(seed, {gcc ? Compiler::gcc : Compiler::clang, !gcc && seed % 2 == 1})};
  std::cout << print(programs);
}
