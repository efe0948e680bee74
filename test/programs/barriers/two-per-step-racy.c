// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A time loop: each thread publishes a value, waits, reads its neighbour's.
// Racy: nothing keeps a thread from publishing the next step's value while its neighbour still reads.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int value[256], sum[256];

int main(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    int n = omp_get_num_threads();
    for (int step = 0; step < 4; step++) {
      value[me] = step; // RACE(1)
#pragma omp barrier
      sum[me] += value[(me + 1) % n]; // RACE(1)
    }
  }
  printf("sum = %d\n", sum[0]);
  return sum[0] == 6 ? 0 : 1;
}
