// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task waits for the one that writes x.
// Fixed: the child waits for its own child and has the dependence itself.
// levels: native graph
#include <stdio.h>

static int x, y;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    {
#pragma omp task depend(out : x)
      x = 42;
#pragma omp taskwait
    }
#pragma omp task depend(out : y)
    y = 1;
#pragma omp taskwait depend(in : x, y)
    printf("x = %d, y = %d\n", x, y);
  }
  return x == 42 && y == 1 ? 0 : 1;
}
