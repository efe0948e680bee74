// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of two parents share an element of an array of variable length, whose address an optimising compiler has in a
// register.
// Fixed: the parents have dependences on it themselves, and wait for their children.
// compilers: gcc
// flags: -O2
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
  return near[1] + row[1] + length;
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
  return got == 42 && sum == 98 ? 0 : 1;
}
