// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskloop fills an array.
// Fixed: the taskloop is a taskgroup by itself.
#include <stdio.h>

enum { n = 64 };
static int a[n];

int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(8)
    for (int i = 0; i < n; i++) a[i] = i;
    for (int i = 0; i < n; i++) sum += a[i];
  }
  printf("sum = %d\n", sum);
  return sum == n * (n - 1) / 2 ? 0 : 1;
}
