// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread changes a factor for the next sum, after a reduction.
// Racy: the reduction has nowait; others may still read it. (Above four threads LLVM's runtime has a barrier
// there.)
// threads: 2 5 8
#include <stdio.h>

enum { n = 64 };

int main(void) {
  int factor[n] = {1}, sum = 0;
#pragma omp parallel shared(factor, sum)
  for (int turn = 0; turn < 3; turn++) {
#pragma omp for reduction(+ : sum) nowait
    for (int i = 0; i < n; i++) sum += factor[i] * 2; // RACE(1)
#pragma omp master
    factor[n / 2]++; // RACE(1)
#pragma omp barrier
  }
  printf("sum = %d\n", sum);
  return sum > 0 ? 0 : 1;
}
