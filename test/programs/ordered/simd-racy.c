// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector loop of several threads, with a part in order.
// Racy: `ordered simd` orders the iterations of one chunk, not those of other threads.
// threads: 2 8
// compilers: gcc
#include <stdio.h>

enum { n = 64 };
static int a[n], sum;

int main(void) {
#pragma omp parallel
#pragma omp for simd schedule(static, 1)
  for (int i = 0; i < n; i++) {
    a[i] = i;
#pragma omp ordered simd
    sum += i; // RACE(1,1)
  }
  printf("sum = %d\n", sum);
  return sum == n * (n - 1) / 2 ? 0 : 1;
}
