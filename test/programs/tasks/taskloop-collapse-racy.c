// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks add up the rows of a matrix.
// Racy: with both loops collapsed, a row is cut in two.
#include <stdio.h>

enum { n = 4 };
static int a[n][n], row[n];

int main(void) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = i + j;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(2) num_tasks(8)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) row[i] += a[i][j]; // RACE(1,1)
  for (int i = 0; i < n; i++) sum += row[i];
  printf("sum = %d\n", sum);
  return sum == n * n * (n - 1) ? 0 : 1;
}
