// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskloop fills an array.
// Racy: nogroup: nobody waits for its tasks before the array is read.
#include <stdio.h>

enum { n = 64 };
static int a[n];

int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(8) nogroup
    for (int i = 0; i < n; i++) a[i] = i;    // RACE(1)
    for (int i = 0; i < n; i++) sum += a[i]; // RACE(1)
  }
  printf("sum = %d\n", sum);
  return sum == n * (n - 1) / 2 ? 0 : 1;
}
