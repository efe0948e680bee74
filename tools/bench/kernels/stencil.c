// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jacobi iterations of the heat equation on a cube: a seven-point stencil between two arrays, a barrier after each
// step.
#include "kernel.h"

enum { n = 128 };
typedef double grid[n][n][n];

static void step(grid from, grid to) {
#pragma omp for
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++)
        to[i][j][k] = 0.4 * from[i][j][k] + 0.1 * (from[i - 1][j][k] + from[i + 1][j][k] + from[i][j - 1][k] +
                                                   from[i][j + 1][k] + from[i][j][k - 1] + from[i][j][k + 1]);
}

int main(int argc, char** argv) {
  long steps = scaled(250, argc, argv);
  double(*a)[n][n] = calloc(1, sizeof(grid));
  double(*b)[n][n] = calloc(1, sizeof(grid));
  double sum = 0.0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) a[i][j][k] = b[i][j][k] = (i + 2 * j + 3 * k) % 17;
    for (long s = 0; s < steps; s++) {
      step(a, b);
      step(b, a);
    }
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) sum += a[i][j][k];
  }
  free(a);
  free(b);
  return checksum(sum);
}
