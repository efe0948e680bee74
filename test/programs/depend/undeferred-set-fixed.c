// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An undeferred task is one of a set of tasks that may run at the same time, and comes after what they all need.
// Fixed: it reads what was written before the set.
// compilers: clang
#include <stdio.h>

static int set, first, second;

int main(void) {
  volatile int later = 0;
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : set)
    first = 1;
#pragma omp task depend(inoutset : set)
    second = first;
#pragma omp task depend(inoutset : set) if (later)
    got = first;
  }
  printf("second = %d, %s\n", second, got > 1 ? "?" : "as expected");
  return 0;
}
