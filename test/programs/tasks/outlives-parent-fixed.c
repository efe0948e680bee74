// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task creates a task for a variable of its own.
// Fixed: the outer task waits for the inner one.
// levels: native graph
#include <stdio.h>

static int got;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(got)
    {
      int local = 7;
#pragma omp task shared(local, got)
      got = local;
#pragma omp taskwait
    }
  }
  printf("got = %d\n", got);
  return got == 7 ? 0 : 1;
}
