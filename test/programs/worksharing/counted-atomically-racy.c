// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread counts by an atomic update before a dynamic loop.
// Racy: all iterations write the same variable. The update tells no thread a number, as nobody reads its result.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

enum { n = 32 };

int main(void) {
  int last = 0, counter = 0, most = 0;
  unsigned bits = 0;
#pragma omp parallel
  {
#pragma omp atomic
    counter += 1;
#pragma omp atomic
    bits |= 4;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) last = i; // RACE(1,1)
  }
#pragma omp parallel
#pragma omp for schedule(dynamic)
  for (int i = 0; i < n; i++) {
    most = i; // RACE(2,2)
#pragma omp atomic
    counter += 1;
  }
  printf("counter = %d, bits = %u, last = %d, most = %d\n", counter > n, bits, last >= 0, most >= 0);
  return 0;
}
