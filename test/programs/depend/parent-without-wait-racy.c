// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task with a dependence leaves its work to a child with the same dependence.
// Racy: the outer task does not wait, so its successor does not wait for the child.
// levels: native graph
// (GCC's debug information puts the creation of a task that comes first in its parent on the parent's line.)
#include <stdio.h>

static int x;

int main(void) {
#pragma omp parallel // FINDING(non-sibling-dependence,1) FINDING(non-sibling-dependence,2)
#pragma omp single
  {
#pragma omp task depend(out : x) // FINDING(non-sibling-dependence,1)
    {
#pragma omp task depend(inout : x) // FINDING(non-sibling-dependence,1)
      x = 1;                       // RACE(1)
    }
#pragma omp task depend(inout : x) // FINDING(non-sibling-dependence,2)
    x++;                           // RACE(1)
  }
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
