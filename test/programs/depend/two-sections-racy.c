// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sections create a task each, and the tasks name one variable.
// Racy: where two threads execute the sections, the tasks have two parents, and dependences order siblings only.
// threads: 1 2 8
// compilers: clang
// builds: driver
#include <stdio.h>

static int x;

int main(void) {
  int got = 0;
#pragma omp parallel sections
  {
#pragma omp section
    {
#pragma omp task depend(out : x) // FINDING(non-sibling-dependence)
      {
#pragma omp atomic write
        x = 42;
      }
    }
#pragma omp section
    {
#pragma omp task depend(in : x) shared(got) // FINDING(non-sibling-dependence)
      {
#pragma omp atomic read
        got = x;
      }
    }
  }
  printf("got = %d\n", got);
  return got == 42 || got == 0 ? 0 : 1;
}
