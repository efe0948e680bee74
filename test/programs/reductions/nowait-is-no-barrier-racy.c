// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value is found by one thread, and all use it after a reduction.
// Racy: the reduction has nowait, which orders nothing. (Above four threads LLVM's runtime has a barrier there.)
// threads: 2 5 8
#include <omp.h>
#include <stdio.h>

enum { n = 64 };
static int used[256];

int main(void) {
  int scale = 0, sum = 0;
#pragma omp parallel shared(scale, sum)
  {
#pragma omp masked
    scale = 3; // RACE(1)
#pragma omp for reduction(+ : sum) nowait
    for (int i = 0; i < n; i++) sum += i;
    used[omp_get_thread_num()] = scale; // RACE(1)
  }
  printf("sum = %d\n", sum);
  return used[0] == 3 ? 0 : 1;
}
