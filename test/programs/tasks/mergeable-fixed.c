// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mergeable tasks, one of them undeferred, add to a sum.
// Fixed: the deferred one is waited for before the others begin.
#include <stdio.h>

int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task mergeable shared(sum)
    sum += 1;
#pragma omp taskwait
#pragma omp task mergeable if (0) shared(sum)
    sum += 2;
    sum += 4;
  }
  printf("sum = %d\n", sum);
  return sum == 7 ? 0 : 1;
}
