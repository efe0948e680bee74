// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The creator goes on with what a task wrote.
// Racy: the undeferred task in between waits for tasks that name another variable.
// compilers: clang
#include <stdio.h>

static int x, named, other;

int main(void) {
  volatile int later = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inout : other) if (later)
    other = 1;
#pragma omp task depend(in : named)
    x = 1;                                      // RACE(1)
#pragma omp task depend(out : other) if (later) // MAY(unmatched-dependence)
    other = 2;
    x++; // RACE(1)
  }
  printf("other = %d, named = %d\n", other, named);
  return other == 2 && x > 0 ? 0 : 1;
}
