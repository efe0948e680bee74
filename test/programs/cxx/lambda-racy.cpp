// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lambda that adds to a captured variable is called by two tasks.
// Racy: it adds without protection.
#include <cstdio>

int main() {
  int total = 0;
  auto add = [&total](int amount) {
    total += amount; // RACE(1,1)
  };
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(add)
    add(1);
#pragma omp task shared(add)
    add(2);
  }
  std::printf("total = %d\n", total);
  return total == 3 ? 0 : 1;
}
