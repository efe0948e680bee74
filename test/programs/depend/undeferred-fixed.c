// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An undeferred consumer.
// Fixed: an undeferred task waits for its predecessors too.
#include <stdio.h>

static int x;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 42;
#pragma omp task if (0) depend(in : x)
    got = x;
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
