// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections make tasks; nowait removes the barrier that would complete them.
// Fixed: a barrier completes them first.
// threads: 2 8
#include <stdio.h>

static int a, b;

int main(void) {
  int s = 0;
#pragma omp parallel num_threads(2) reduction(+ : s)
  {
#pragma omp sections nowait
    {
#pragma omp section
#pragma omp task
      a = 1;
#pragma omp section
#pragma omp task
      b = 2;
    }
#pragma omp barrier
    s += a;
    s += b;
  }
  printf("%d\n", s >= 0);
  return 0;
}
