// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tied tasks use the scratch buffer of the thread that runs them, with no scheduling point in between.
// Silent: a buffer is only ever touched by its thread, one tied task at a time (OpenMP 5.1, 2.12.6).
// expect: silent
#include <omp.h>
#include <stdio.h>

static int scratch[256][16], result[50];

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < 50; t++) {
#pragma omp task firstprivate(t)
    {
      int* mine = scratch[omp_get_thread_num()];
      for (int i = 0; i < 16; i++) mine[i] = t + i;
      int sum = 0;
      for (int i = 0; i < 16; i++) sum += mine[i];
      result[t] = sum;
    }
  }
  printf("result = %d %d\n", result[0], result[49]);
  return result[0] == 120 && result[49] == 904 ? 0 : 1;
}
