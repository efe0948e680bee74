// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table in which each entry needs its upper and its left neighbour.
// Fixed: both are declared.
#include <stdio.h>

enum { n = 8 };
static int table[n][n];

int main(void) {
  for (int i = 0; i < n; i++) table[i][0] = table[0][i] = 1;
#pragma omp parallel
#pragma omp single
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
#pragma omp task depend(in : table[i - 1][j], table[i][j - 1]) depend(out : table[i][j]) firstprivate(i, j)
      table[i][j] = (table[i - 1][j] + table[i][j - 1]) % 1000;
    }
  printf("corner = %d\n", table[n - 1][n - 1]);
  return table[n - 1][n - 1] == 432 ? 0 : 1;
}
