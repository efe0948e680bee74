// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relaxation in place: each thread goes through its rows, whose border rows its neighbours read and write meanwhile.
// The grid is in balance, so that the result is the same. Repaired: the rows in between wait for those beside them.
#include "kernel.h"

enum { width = 1024, height = 512 };
static double grid[height][width];

static void relax(int first, int apart) {
#pragma omp for schedule(static)
  for (int i = first; i < height - 1; i += apart)
    for (int j = 1; j < width - 1; j++)
      grid[i][j] = 0.25 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
}

int main(int argc, char** argv) {
  long steps = scaled(1000, argc, argv);
  for (int i = 0; i < height; i++)
    for (int j = 0; j < width; j++) grid[i][j] = i + 2 * j;
#pragma omp parallel
  for (long s = 0; s < steps; s++) {
#ifdef REPAIRED
    relax(1, 2);
    relax(2, 2);
#else
    relax(1, 1);
#endif
  }
  double sum = 0;
  for (int i = 0; i < height; i++)
    for (int j = 0; j < width; j++) sum += grid[i][j];
  return checksum(sum);
}
