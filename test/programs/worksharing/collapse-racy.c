// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of rows of a small matrix.
// Racy: collapse(2) divides the elements of a row among threads, the sum of the row is shared.
// threads: 2 8
#include <stdio.h>

enum { rows = 3, columns = 100 };
static int m[rows][columns], sum[rows];

int main(void) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) m[i][j] = i + j;
#pragma omp parallel for collapse(2) schedule(static)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) sum[i] += m[i][j]; // RACE(1,1)
  printf("sums = %d %d %d\n", sum[0], sum[1], sum[2]);
  return sum[0] == 4950 && sum[2] == 5150 ? 0 : 1;
}
