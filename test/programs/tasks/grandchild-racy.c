// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task leaves the work to a task of its own.
// Racy: taskwait waits for children only, not for their children.
#include <stdio.h>

static int value;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
#pragma omp task
      value = 42; // RACE(1)
    }
#pragma omp taskwait
    got = value; // RACE(1)
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
