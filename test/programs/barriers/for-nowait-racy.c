// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One loop fills an array, the next reads it backwards.
// Racy: nowait removes the barrier between the loops.
// threads: 2 8
#include <stdio.h>

enum { n = 200 };
static int a[n], b[n];

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++) a[i] = i; // RACE(1)
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) b[i] = a[n - 1 - i]; // RACE(1)
  }
  printf("b[0] = %d\n", b[0]);
  return b[0] == n - 1 ? 0 : 1;
}
