// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task computes a value for its parent.
// Racy: the parent reads it at once.
#include <stdio.h>

static int value;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    value = 42;  // RACE(1)
    got = value; // RACE(1)
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
