// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Producer and consumer are created by two different tasks.
// Racy: dependences order siblings only; these have different parents.
// levels: native graph
#include <stdio.h>

static int x;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
#pragma omp task depend(out : x) // FINDING(non-sibling-dependence)
      x = 42;                    // RACE(1)
    }
#pragma omp task shared(got)
    {
#pragma omp task depend(in : x) shared(got) // FINDING(non-sibling-dependence)
      got = x;                              // RACE(1)
    }
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
