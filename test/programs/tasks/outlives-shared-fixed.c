// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function hands a variable of its own to a task, by reference.
// Fixed: it waits before it returns.
// levels: native graph
#include <stdio.h>

static int got;

__attribute__((noinline)) static void start(int value) {
  int local = value;
#pragma omp task shared(local, got)
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
