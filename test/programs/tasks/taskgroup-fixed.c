// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskgroup waits for the descendants of the tasks created in it.
// Fixed: it is read after the group.
#include <stdio.h>

static int value;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp task
        value = 42;
      }
    }
    got = value;
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
