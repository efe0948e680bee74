// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of two parents share an element of an array of the function that called the one with the region.
// Fixed: the parents have dependences on it themselves, and wait for their children.
// levels: native graph
#include <stdio.h>

static int got;

__attribute__((noinline)) static void exchange(int* cells) {
#pragma omp task firstprivate(cells) depend(out : cells[1])
  {
#pragma omp task depend(out : cells[1]) firstprivate(cells)
    cells[1] = 42;
#pragma omp taskwait
  }
#pragma omp task firstprivate(cells) depend(in : cells[1])
  {
#pragma omp task depend(in : cells[1]) firstprivate(cells)
    got = cells[1];
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
