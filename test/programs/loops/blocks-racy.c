// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks update blocks of a matrix, in a nest of loops.
// Racy: the middle row belongs to both.
#include <stdio.h>

enum { n = 32 };
static int a[n][n], b[n][n];

static void update(int top, int bottom, int rounds) {
  for (int round = 0; round < rounds; round++)
    for (int i = top; i < bottom; i++)
      for (int j = 0; j < n; j++) a[i][j] += b[j][i]; // RACE(1,1)
}

int main(void) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) b[i][j] = i + j;
  int middle = n / 2;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task firstprivate(middle)
    update(0, middle + 1, 3);
#pragma omp task firstprivate(middle)
    update(middle, n, 3);
  }
  printf("a[3][4] = %d\n", a[3][4]);
  return a[3][4] == 21 ? 0 : 1;
}
