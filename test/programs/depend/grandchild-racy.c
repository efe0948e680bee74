// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task with a dependence leaves the work to its child.
// Racy: a task is complete before its children are; the successor may start before the work is done.
#include <stdio.h>

static int x;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    {
#pragma omp task
      x = 42; // RACE(1)
    }
#pragma omp task depend(in : x) shared(got)
    got = x; // RACE(1)
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
