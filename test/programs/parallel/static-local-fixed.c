// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of a team count themselves in a variable with static storage.
// Fixed: atomically.
// threads: 2 8
#include <stdio.h>

int main(void) {
  static int counter;
#pragma omp parallel
#pragma omp atomic
  counter++;
  printf("%s\n", counter > 0 ? "counted" : "none");
}
