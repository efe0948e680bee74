// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program says what code does that is not instrumented: columns of a matrix overlap.
// threads: 1 4
// builds: driver
#include "../../../include/fletcher/fletcher.h"

#include <stdio.h>

enum { n = 16 };
static double a[n][n], x[n];

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    FLETCHER_WRITES_MATRIX(&a[0][0], n / 2, n, n); // RACE(1)
#pragma omp task
    FLETCHER_READS_MATRIX(&a[0][n / 2 - 1], n / 2, n, n); // RACE(1)
#pragma omp task
    FLETCHER_WRITES(x, sizeof x / 2); // RACE(2)
#pragma omp task
    FLETCHER_READS(&x[n / 2 - 1], sizeof x / 2); // RACE(2)
  }
  printf("%g\n", a[0][0] + x[0]);
  return 0;
}
