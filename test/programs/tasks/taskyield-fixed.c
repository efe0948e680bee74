// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task yields after it has created another.
// Fixed: taskwait.
#include <stdio.h>

static int value;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    value = 42;
#pragma omp taskwait
    got = value;
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
