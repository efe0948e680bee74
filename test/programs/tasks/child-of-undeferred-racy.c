// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An undeferred task creates a task.
// Racy: the inner task is deferrable and may outlive the outer one.
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
      value = 42; // RACE(1)
    }
    got = value; // RACE(1)
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
