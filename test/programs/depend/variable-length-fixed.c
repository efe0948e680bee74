// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of two parents share an element of an array of variable length.
// (Optimised by clang, the debug information has no length of such an array.)
// Fixed: the parents have dependences on it themselves, and wait for their children.
// flags: -O0
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

__attribute__((noinline)) static int start(int length) {
  int near[length], row[length];
  near[1] = 1;
  exchange(row);
  return near[1] + row[1];
}

int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
    sum = start(3);
    sum += start(9);
  }
  printf("got = %d, sum = %d\n", got, sum);
  return got == 42 && sum == 86 ? 0 : 1;
}
