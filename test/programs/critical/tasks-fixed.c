// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks add to a total in a critical section, which excludes but does not order.
// Fixed: both kinds add inside.
#include <stdio.h>

static int total;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
#pragma omp critical
      total += 1;
    }
#pragma omp task
    {
#pragma omp critical
      total += 2;
    }
  }
  printf("total = %d\n", total);
  return total == 3 ? 0 : 1;
}
