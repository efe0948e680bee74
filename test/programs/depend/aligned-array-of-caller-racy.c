// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of two parents share an element of an array that is aligned to more than the stack is.
// Racy: their dependences on it do not order them.
// levels: native graph
// (GCC's debug information puts the creation of a task that comes first in its parent on the parent's line.)
#include <stdio.h>

static int got;

__attribute__((noinline)) static void exchange(int* cells) {
#pragma omp task firstprivate(cells) // FINDING(non-sibling-dependence,1)
  {
#pragma omp task depend(out : cells[1]) firstprivate(cells) // FINDING(non-sibling-dependence,1) NAMES(block)
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

__attribute__((noinline)) static int start(int first) {
  int near = first;
  _Alignas(64) int block[16];
  for (int i = 0; i < 16; i++) block[i] = first;
  exchange(block);
  return near + block[1];
}

int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  sum = start(1);
  printf("got = %d, sum = %d\n", got, sum);
  return got == 42 && sum == 43 ? 0 : 1;
}
