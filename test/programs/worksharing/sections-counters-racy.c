// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each section increments a counter of its own.
// Racy: the third section reads both.
// threads: 2 8
// builds: driver
#include <stdio.h>

static int x, y, sum;

int main(void) {
#pragma omp parallel
#pragma omp sections
  {
#pragma omp section
    x++; // RACE(1)
#pragma omp section
    y++; // RACE(2)
#pragma omp section
    {
      sum = x;  // RACE(1)
      sum += y; // RACE(2)
    }
  }
  printf("%d %d %d\n", x, y, sum);
  return x == 1 && y == 1 ? 0 : 1;
}
