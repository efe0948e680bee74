// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest of the threads' values.
// Racy: compare and store are plain; the thread with the largest value always stores, all others always read.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int best;

int main(void) {
#pragma omp parallel
  {
    int value = omp_get_thread_num() + 1;
    if (best < value) { // RACE(1*)
      best = value;     // RACE(1*)
    }
  }
  printf("best = %d\n", best);
  return best == omp_get_max_threads() ? 0 : 1;
}
