// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of two parents share an element of an array of the function that called the one with the region.
// Racy: their dependences on it do not order them.
// levels: native graph
// (GCC's debug information puts the creation of a task that comes first in its parent on the parent's line.)
#include <stdio.h>

static int got;

__attribute__((noinline)) static void exchange(int* cells) {
#pragma omp task firstprivate(cells) // FINDING(non-sibling-dependence,1)
  {
#pragma omp task depend(out : cells[1]) firstprivate(cells) // FINDING(non-sibling-dependence,1) NAMES(grid)
    cells[1] = 42;                                          // RACE(1)
#pragma omp taskwait
  }
#pragma omp task firstprivate(cells) // FINDING(non-sibling-dependence,2)
  {
#pragma omp task depend(in : cells[1]) firstprivate(cells) // FINDING(non-sibling-dependence,2)
    got = cells[1];                                        // RACE(1)
#pragma omp taskwait
  }
#pragma omp taskwait
}

__attribute__((noinline)) static void run(int* cells) {
#pragma omp parallel firstprivate(cells)
#pragma omp single
  exchange(cells);
}

int main(void) {
  int before[2] = {1, 2}, grid[8] = {0}, after[2] = {3, 4};
  run(grid + 2);
  printf("got = %d, %d %d %d\n", got, before[1], grid[3], after[1]);
  return got == 42 ? 0 : 1;
}
