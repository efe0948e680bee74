// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks, of which a taskgroup covers one or both.
// Racy: the first was created before the group began and is not of it.
#include <stdio.h>

static int first, second;

int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    first = 1; // RACE(1)
#pragma omp taskgroup
    {
#pragma omp task
      second = 2;
    }
    sum = first + second; // RACE(1)
  }
  printf("sum = %d\n", sum);
  return sum == 3 ? 0 : 1;
}
