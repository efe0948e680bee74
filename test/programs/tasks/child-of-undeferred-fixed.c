// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An undeferred task creates a task.
// Fixed: the outer task waits for it.
#include <stdio.h>

static int value;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task if (0)
    {
#pragma omp task
      value = 42;
#pragma omp taskwait
    }
    got = value;
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
