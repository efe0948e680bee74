// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of a team count themselves in a variable with static storage.
// Racy: without protection. The report has to tell its name, not the linker's, which has a function or a number in it.
// threads: 2 8
#include <stdio.h>

int main(void) {
  static int counter;
#pragma omp parallel
  counter++; // RACE(1,1) NAMES(counter)
  printf("%s\n", counter > 0 ? "counted" : "none");
}
