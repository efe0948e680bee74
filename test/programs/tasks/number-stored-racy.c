// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks note which thread executes them.
// Racy: all in one variable, which no address depends on.
// compilers: clang
// builds: driver
#include <omp.h>
#include <stdio.h>

int main(void) {
  int owner = -1;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(owner)
    owner = omp_get_thread_num(); // RACE(1)
#pragma omp task shared(owner)
    owner = omp_get_thread_num(); // RACE(1)
  }
  printf("%d\n", owner >= 0);
  return 0;
}
