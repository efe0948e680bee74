// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mergeable tasks, one of them undeferred, add to a sum.
// Racy: only the undeferred one is waited for, merged or not.
#include <stdio.h>

int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task mergeable shared(sum)
    sum += 1; // RACE(1a)
#pragma omp task mergeable if (0) shared(sum)
    sum += 2; // RACE(1b)
    sum += 4; // RACE(1b)
#pragma omp taskwait
  }
  printf("sum = %d\n", sum);
  return sum == 7 ? 0 : 1;
}
