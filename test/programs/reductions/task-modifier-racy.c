// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks add to the reduction of a parallel region.
// Racy: they add to their creator's copy instead of one of their own.
#include <stdio.h>

int main(void) {
  int sum = 0;
#pragma omp parallel reduction(task, + : sum)
#pragma omp single
  for (int i = 1; i <= 4; i++) {
#pragma omp task shared(sum) firstprivate(i)
    sum += i; // RACE(1,1)
  }
  printf("sum = %d\n", sum);
  return sum == 10 ? 0 : 1;
}
