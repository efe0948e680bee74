// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of a taskgroup add to one sum.
// Racy: they do not take part in the group's reduction.
#include <stdio.h>

int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 1; i <= 20; i++) {
#pragma omp task firstprivate(i) shared(sum)
      sum += i; // RACE(1,1)
    }
  }
  printf("sum = %d\n", sum);
  return sum == 210 ? 0 : 1;
}
