// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks inside a task with a final clause.
// Fixed: final(1): the inner tasks are included, each complete before the outer task goes on.
#include <stdio.h>

static int x;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task final(1)
    {
#pragma omp task
      x += 1;
#pragma omp task
      x *= 3;
    }
  }
  printf("x = %d\n", x);
  return x == 3 ? 0 : 1;
}
