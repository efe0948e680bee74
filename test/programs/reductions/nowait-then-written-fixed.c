// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread changes a factor for the next sum, after a reduction.
// Fixed: a barrier before that.
// threads: 2 5 8
#include <stdio.h>

enum { n = 64 };

int main(void) {
  int factor[n] = {1}, sum = 0;
#pragma omp parallel shared(factor, sum)
  for (int turn = 0; turn < 3; turn++) {
#pragma omp for reduction(+ : sum) nowait
    for (int i = 0; i < n; i++) sum += factor[i] * 2;
#pragma omp barrier
#pragma omp master
    factor[n / 2]++;
#pragma omp barrier
  }
  printf("sum = %d\n", sum);
  return sum > 0 ? 0 : 1;
}
