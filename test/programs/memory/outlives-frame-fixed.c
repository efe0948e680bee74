// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function creates a task that names one of the function's own variables.
// Fixed: it waits.
#include <stdio.h>

static int got;

__attribute__((noinline)) static void start(int value) {
  int local = value;
#pragma omp task depend(in : local) shared(local)
  got = local;
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    start(1);
#pragma omp taskwait
  }
  printf("got = %d\n", got);
  return got == 1 ? 0 : 1;
}
