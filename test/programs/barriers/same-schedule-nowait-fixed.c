// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two loops with nowait between them; the second reads what the first wrote at the same index.
// Fixed: static schedules with the same trip count and chunk give each thread the same iterations in both loops
// (OpenMP 5.1, 2.11.4), which makes nowait legal.
#include <stdio.h>

enum { n = 200 };
static int a[n], b[n];

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++) a[i] = i;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) b[i] = 2 * a[i];
  }
  printf("b[%d] = %d\n", n - 1, b[n - 1]);
  return b[n - 1] == 2 * (n - 1) ? 0 : 1;
}
