// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread computes, and one thread uses the result.
// Fixed: the first single has its barrier.
#include <stdio.h>

static int first, second;

int main(void) {
#pragma omp parallel
  {
#pragma omp single
    first = 20;
#pragma omp single
    second = first + 1;
  }
  printf("second = %d\n", second);
  return second == 21 ? 0 : 1;
}
