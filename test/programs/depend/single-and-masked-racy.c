// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A single construct and a masked one create a task each, and the tasks name one variable.
// Racy: where another thread executes the single, the tasks have two parents, and dependences order siblings only.
// threads: 1 2 8
// compilers: clang
// builds: driver
#include <stdio.h>

static int x;

int main(void) {
  int got = 0;
#pragma omp parallel
  {
#pragma omp single nowait
    {
#pragma omp task depend(out : x) // FINDING(non-sibling-dependence)
      {
#pragma omp atomic write
        x = 42;
      }
    }
#pragma omp masked
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
