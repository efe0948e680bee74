// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A time loop: each thread publishes a value, waits, reads its neighbour's.
// Fixed: a second barrier ends each step.
#include <omp.h>
#include <stdio.h>

static int value[256], sum[256];

int main(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    int n = omp_get_num_threads();
    for (int step = 0; step < 4; step++) {
      value[me] = step;
#pragma omp barrier
      sum[me] += value[(me + 1) % n];
#pragma omp barrier
    }
  }
  printf("sum = %d\n", sum[0]);
  return sum[0] == 6 ? 0 : 1;
}
