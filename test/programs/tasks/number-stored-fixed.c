// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks note which thread executes them.
// Repaired: each in a variable of its own.
#include <omp.h>
#include <stdio.h>

int main(void) {
  int owner = -1, other = -1;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(owner)
    owner = omp_get_thread_num();
#pragma omp task shared(other)
    other = omp_get_thread_num();
  }
  printf("%d\n", owner >= 0 && other >= 0);
  return 0;
}
