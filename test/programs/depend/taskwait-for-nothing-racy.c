// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The creating task waits for one of its children.
// Racy: it names what no child does.
// compilers: clang
// levels: native graph
#include <stdio.h>

static int x, y;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 42;                         // RACE(1)
#pragma omp taskwait depend(in : y) // FINDING(unmatched-dependence)
    y = x;                          // RACE(1)
  }
  printf("y = %d\n", y);
  return y == 42 ? 0 : 1;
}
