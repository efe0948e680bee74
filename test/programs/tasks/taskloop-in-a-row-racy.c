// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two taskloops one after the other; the second reads what the first wrote.
// Racy: nogroup on the first leaves the tasks of both concurrent.
#include <stdio.h>

enum { n = 64 };
static int a[n], b[n];

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop num_tasks(8) nogroup
    for (int i = 0; i < n; i++) a[i] = i; // RACE(1)
#pragma omp taskloop num_tasks(8)
    for (int i = 0; i < n; i++) b[i] = a[n - 1 - i]; // RACE(1)
  }
  printf("b[0] = %d\n", b[0]);
  return b[0] == n - 1 ? 0 : 1;
}
