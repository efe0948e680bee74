// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest of the threads' values.
// Fixed: atomic compare (OpenMP 5.1, 2.19.7).
#include <omp.h>
#include <stdio.h>

static int best;

int main(void) {
#pragma omp parallel
  {
    int value = omp_get_thread_num() + 1;
#pragma omp atomic compare
    if (best < value) {
      best = value;
    }
  }
  printf("best = %d\n", best);
  return best == omp_get_max_threads() ? 0 : 1;
}
