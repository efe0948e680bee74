// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task with an if clause.
// Fixed: if(0) makes it undeferred: its parent goes on when it is complete.
#include <stdio.h>

static int value;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task if (0)
    value = 42;
    got = value;
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
