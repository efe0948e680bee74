// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread computes, and one thread uses the result.
// Racy: nowait; they need not be the same thread, even if they are.
// threads: 2 8
#include <stdio.h>

static int first, second;

int main(void) {
#pragma omp parallel
  {
#pragma omp single nowait
    first = 20; // RACE(1)
#pragma omp single
    second = first + 1; // RACE(1)
  }
  printf("second = %d\n", second);
  return second == 21 ? 0 : 1;
}
