// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that shrink until they have no iteration left, with and without nowait, and barriers between.
// expect: silent
// levels: native graph
#include <stdio.h>
#define N 8
static double a[N][N];

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = i == j ? 4 : 1.0 / (i + j + 1);
#pragma omp parallel
  for (int k = 0; k < N; k++) {
#pragma omp for nowait schedule(static)
    for (int j = k + 1; j < N; j++) a[k][j] /= a[k][k];
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
    for (int i = k + 1; i < N; i++)
      for (int j = k + 1; j < N; j++) a[i][j] -= a[i][k] * a[k][j];
#pragma omp single nowait
    a[k][k] = a[k][k];
#pragma omp barrier
  }
  printf("%g\n", a[N - 1][N - 1]);
  return 0;
}
