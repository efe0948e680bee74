// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pipeline: each thread relaxes its rows of a grid from top to bottom as soon as the thread above has done the row
// before, and says so by a flag and a flush. Without atomic operations nothing orders them.
#include "kernel.h"

#include <omp.h>

enum { width = 2048, rows = 128, most_threads = 64 };
static double grid[most_threads * rows + 1][width];
static struct {
  long sweep;
  char apart[120];
} done[most_threads + 1];

static long sweep_of(int member) {
  long sweep;
#ifdef REPAIRED
#pragma omp atomic read acquire
  sweep = done[member].sweep;
#else
#pragma omp flush
  sweep = done[member].sweep;
#endif
  return sweep;
}

static void finish(int member, long sweep) {
#ifdef REPAIRED
#pragma omp atomic write release
  done[member].sweep = sweep;
#else
#pragma omp flush
  done[member].sweep = sweep;
#pragma omp flush
#endif
}

int main(int argc, char** argv) {
  long sweeps = scaled(1000, argc, argv);
  for (int j = 0; j < width; j++) grid[0][j] = 1 + j % 7;
#pragma omp parallel num_threads(2)
  {
    const int me = omp_get_thread_num(), last = omp_get_num_threads() - 1;
    for (long s = 1; s <= sweeps; s++) {
      if (me > 0)
        while (sweep_of(me - 1) < s) {
        }
      if (me < last) // nobody reads the last row of the sweep before any more
        while (sweep_of(me + 1) < s - 1) {
        }
      for (int i = me * rows + 1; i <= (me + 1) * rows; i++)
        for (int j = 1; j < width - 1; j++)
          grid[i][j] = 0.25 * (grid[i - 1][j - 1] + grid[i - 1][j] + grid[i - 1][j + 1]) + 0.2 * grid[i][j];
      finish(me, s);
    }
  }
  double sum = 0;
  for (int i = 0; i <= 2 * rows; i++)
    for (int j = 0; j < width; j++) sum += grid[i][j];
  return checksum(sum);
}
