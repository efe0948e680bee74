// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks inside a task with a final clause.
// Racy: final(0): the inner tasks are ordinary siblings.
#include <stdio.h>

static int x;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task final(0)
    {
#pragma omp task
      x += 1; // RACE(1)
#pragma omp task
      x *= 3; // RACE(1)
    }
  }
  printf("x = %d\n", x);
  return x == 3 ? 0 : 1;
}
