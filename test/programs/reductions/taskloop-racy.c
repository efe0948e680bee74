// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskloop sums an array.
// Racy: its tasks add to one shared variable.
// builds: driver
#include <stdio.h>

enum { n = 100 };
static int a[n];

int main(void) {
  int sum = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(10)
  for (int i = 0; i < n; i++) sum += a[i]; // RACE(1,1)
  printf("sum = %d\n", sum);
  return sum == n * (n - 1) / 2 ? 0 : 1;
}
