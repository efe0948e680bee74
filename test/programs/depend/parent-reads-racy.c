// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The creator of tasks with dependences reads their result.
// Racy: dependences order the tasks among themselves, not their creator.
#include <stdio.h>

static int x;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 1; // RACE(1a)
#pragma omp task depend(inout : x)
    x += 1;  // RACE(1a)
    got = x; // RACE(1b)
  }
  printf("got = %d\n", got);
  return got == 2 ? 0 : 1;
}
