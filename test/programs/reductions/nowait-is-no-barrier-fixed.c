// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value is found by one thread, and all use it after a reduction.
// Fixed: without nowait, the loop ends with a barrier.
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
    scale = 3;
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += i;
    used[omp_get_thread_num()] = scale;
  }
  printf("sum = %d\n", sum);
  return used[0] == 3 ? 0 : 1;
}
