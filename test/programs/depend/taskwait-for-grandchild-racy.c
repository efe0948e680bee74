// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task waits for the one that writes x.
// Racy: that is a child of its child; a taskwait, with depend or without, waits for children.
// compilers: clang
// levels: native graph
#include <stdio.h>

static int x, y;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
#pragma omp task depend(out : x) // FINDING(non-sibling-dependence)
      x = 42;                    // RACE(1)
    }
#pragma omp task depend(out : y)
    y = 1;
#pragma omp taskwait depend(in : x, y)
    printf("x = %d, y = %d\n", x, y); // RACE(1)
  }
  return x == 42 && y == 1 ? 0 : 1;
}
