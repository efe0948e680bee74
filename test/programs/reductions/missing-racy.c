// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop sums an array.
// Racy: into a shared variable.
// threads: 2 8
// builds: driver
#include <stdio.h>

enum { n = 1000 };
static int a[n];

int main(void) {
  int sum = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) sum += a[i]; // RACE(1,1)
  printf("sum = %d\n", sum);
  return sum == n * (n - 1) / 2 ? 0 : 1;
}
