// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One loop fills an array, the next reads it backwards.
// Fixed: the first loop ends with its implicit barrier.
#include <stdio.h>

enum { n = 200 };
static int a[n], b[n];

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) a[i] = i;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) b[i] = a[n - 1 - i];
  }
  printf("b[0] = %d\n", b[0]);
  return b[0] == n - 1 ? 0 : 1;
}
