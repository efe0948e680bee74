// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of two parents share an element of an array that is aligned to more than the stack is.
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
