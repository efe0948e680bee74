// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks add to the reduction of a parallel region.
// Fixed: they take part in the reduction.
#include <stdio.h>

int main(void) {
  int sum = 0;
#pragma omp parallel reduction(task, + : sum)
#pragma omp single
  for (int i = 1; i <= 4; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
    sum += i;
  }
  printf("sum = %d\n", sum);
  return sum == 10 ? 0 : 1;
}
