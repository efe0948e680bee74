// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task that has to wait for tasks of its own does so by a taskwait.
// compilers: clang
#include <stdio.h>

static int sum;

__attribute__((noinline)) static void add_and_wait(int value) {
#pragma omp task
  sum += value;
#pragma omp taskwait
  sum += value;
}

int main(void) {
#pragma omp parallel
#pragma omp single
#pragma omp task
  add_and_wait(3);
  printf("%d\n", sum);
  return 0;
}
