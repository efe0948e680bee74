// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task with an if clause.
// Racy: if(1) leaves it deferrable.
#include <stdio.h>

static int value;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task if (1)
    value = 42;  // RACE(1)
    got = value; // RACE(1)
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
