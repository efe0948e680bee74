// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of two parents share a variable of the function that created these.
// Racy: their dependences on it do not order them.
// levels: native graph
// (GCC's debug information puts the creation of a task that comes first in its parent on the parent's line.)
#include <stdio.h>

int main(void) {
  int got = 0;
#pragma omp parallel shared(got)
#pragma omp single
  {
    int x = 0;
#pragma omp task shared(x) // FINDING(non-sibling-dependence,1)
    {
#pragma omp task depend(out : x) shared(x) // FINDING(non-sibling-dependence,1) NAMES(x)
      x = 42;                              // RACE(1)
#pragma omp taskwait
    }
#pragma omp task shared(x, got) // FINDING(non-sibling-dependence,2)
    {
#pragma omp task depend(in : x) shared(x, got) // FINDING(non-sibling-dependence,2)
      got = x;                                 // RACE(1)
#pragma omp taskwait
    }
#pragma omp taskwait
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
