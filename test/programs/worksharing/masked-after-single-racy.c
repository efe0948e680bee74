// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any thread computes, and thread 0 uses the result.
// Racy: nowait; the two need not be one thread, even where they are.
// threads: 1 2 8
// compilers: clang
// builds: driver
#include <stdio.h>

static int first, second;

int main(void) {
#pragma omp parallel
  {
#pragma omp single nowait
    first = 20; // RACE(1)
#pragma omp masked
    second = first + 1; // RACE(1)
  }
  printf("second = %d\n", second);
  return second == 21 || second == 1 ? 0 : 1;
}
