// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks fill columns of a matrix: each a loop with a stride. No column is filled by both.
#include <stdio.h>

enum { rows = 40, columns = 24 };
static double a[rows * columns];

static void fill(int column, int n) {
  for (int i = 0; i < n; i++) a[i * columns + column] = column;
}

int main(void) {
  int n = rows;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    for (int column = 0; column <= 10; column++) fill(column, n);
#pragma omp task
    for (int column = 11; column < columns; column++) fill(column, n);
  }
  printf("last = %g\n", a[rows * columns - 1]);
  return a[rows * columns - 1] == columns - 1 ? 0 : 1;
}
