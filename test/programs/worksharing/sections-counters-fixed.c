// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each section increments a counter of its own. To the compiler that is a loop around a switch: it must not read the
// counters before it.
// Repaired: both are read after the construct.
// threads: 1 2 8
// builds: driver
#include <stdio.h>

static int x, y, sum;

int main(void) {
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      x++;
#pragma omp section
      y++;
    }
#pragma omp single
    sum = x + y;
  }
  printf("%d %d %d\n", x, y, sum);
  return sum == 2 ? 0 : 1;
}
