// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two loops with nowait between them; the second reads what the first wrote at the same index.
// Racy: the second loop is distributed differently, so that an element is read by another thread.
// threads: 2 8
#include <stdio.h>

enum { n = 200 };
static int a[n], b[n];

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++) a[i] = i; // RACE(1)
#pragma omp for schedule(static, 1)
    for (int i = 0; i < n; i++) b[i] = 2 * a[i]; // RACE(1)
  }
  printf("b[%d] = %d\n", n - 1, b[n - 1]);
  return b[n - 1] == 2 * (n - 1) ? 0 : 1;
}
