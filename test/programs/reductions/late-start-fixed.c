// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of a reduction begins with what the first thread gives it.
// Fixed: a barrier between the two.
// threads: 2 5 8
#include <omp.h>
#include <stdio.h>

int main(void) {
  int sum = 1;
#pragma omp parallel shared(sum)
  {
    if (omp_get_thread_num() == 0) sum = 10;
#pragma omp barrier
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < 100; i++) sum += 1;
  }
  printf("sum = %d\n", sum);
  return sum == 110 ? 0 : 1;
}
