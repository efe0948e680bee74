// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Producer and consumer are grandchildren.
// Racy: the taskgroup is around the consumer's parent, not around the producer's.
// levels: native graph
// (GCC's debug information puts the creation of a task that comes first in its parent on the parent's line.)
#include <stdio.h>

static int x;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task // FINDING(non-sibling-dependence,1)
    {
#pragma omp task depend(out : x) // FINDING(non-sibling-dependence,1)
      x = 42;                    // RACE(1)
    }
#pragma omp taskgroup
    {
#pragma omp task shared(got) // FINDING(non-sibling-dependence,2)
      {
#pragma omp task depend(in : x) shared(got) // FINDING(non-sibling-dependence,2)
        got = x;                            // RACE(1)
      }
    }
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
