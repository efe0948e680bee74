// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two iterations of a dynamic loop write to a variable: one by itself, one by a task that names it in a depend clause.
// Racy: whichever threads execute them, nothing orders the two. The task has no predecessor.
// threads: 1 2 8
// compilers: clang
// builds: driver
#include <stdio.h>

static int x;

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 2; i++) {
      if (i == 0) {
        x = 1; // RACE(1)
      } else {
#pragma omp task depend(out : x)
        x = 2; // RACE(1)
      }
    }
  }
  printf("x > 0: %d\n", x > 0);
  return 0;
}
