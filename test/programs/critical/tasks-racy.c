// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks add to a total in a critical section, which excludes but does not order.
// Racy: one kind of task adds outside.
#include <stdio.h>

static int total;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
#pragma omp critical
      total += 1; // RACE(1)
    }
#pragma omp task
    {
      total += 2; // RACE(1)
    }
  }
  printf("total = %d\n", total);
  return total == 3 ? 0 : 1;
}
