// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Producer and consumer are created by two different tasks.
// Fixed: the parents have the dependence too, and the first waits for its child.
#include <stdio.h>

static int x;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    {
#pragma omp task depend(out : x)
      x = 42;
#pragma omp taskwait
    }
#pragma omp task depend(in : x) shared(got)
    {
#pragma omp task depend(in : x) shared(got)
      got = x;
    }
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
