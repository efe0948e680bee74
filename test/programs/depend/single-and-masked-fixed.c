// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A single construct and a masked one create a task each, and the tasks name one variable.
// Repaired: the single's barrier is between them.
// threads: 1 2 8
// compilers: clang
#include <stdio.h>

static int x;

int main(void) {
  int got = 0;
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp task depend(out : x)
      {
#pragma omp atomic write
        x = 42;
      }
    }
#pragma omp masked
    {
#pragma omp task depend(in : x) shared(got)
      {
#pragma omp atomic read
        got = x;
      }
    }
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
