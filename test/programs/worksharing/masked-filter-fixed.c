// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thread 1 sets a value that all threads read.
// Fixed: a barrier follows.
// threads: 2 8
// compilers: clang
// flags: -fopenmp-version=51
#include <stdio.h>

static int config;

int main(void) {
  int s = 0;
#pragma omp parallel reduction(+ : s)
  {
#pragma omp masked filter(1)
    config = 5;
#pragma omp barrier
    s += config;
  }
  printf("%d\n", s >= 0);
  return 0;
}
