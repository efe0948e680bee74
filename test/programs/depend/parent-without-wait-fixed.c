// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task with a dependence leaves its work to a child with the same dependence.
// Fixed: the outer task waits for its child.
// levels: native graph
#include <stdio.h>

static int x;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    {
#pragma omp task depend(inout : x)
      x = 1;
#pragma omp taskwait
    }
#pragma omp task depend(inout : x)
    x++;
  }
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
