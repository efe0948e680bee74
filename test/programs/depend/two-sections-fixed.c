// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sections create a task each, and the tasks name one variable.
// Repaired: one section creates both; the other one does something else.
// threads: 1 2 8
// compilers: clang
#include <stdio.h>

static int x, other;

int main(void) {
  int got = 0;
#pragma omp parallel sections
  {
#pragma omp section
    {
#pragma omp task depend(out : x)
      {
#pragma omp atomic write
        x = 42;
      }
#pragma omp task depend(in : x) shared(got)
      {
#pragma omp atomic read
        got = x;
      }
    }
#pragma omp section
    {
#pragma omp task depend(out : other)
      other = 1;
    }
  }
  printf("got = %d\n", got);
  return got == 42 && other == 1 ? 0 : 1;
}
