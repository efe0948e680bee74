// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each element is made of its left neighbour.
// Racy: in the same array.
// threads: 2 8
// builds: driver
#include <stdio.h>

enum { N = 200 };
static int a[N], b[N];

int main(void) {
  for (int i = 0; i < N; i++) a[i] = i;
#pragma omp parallel loop
  for (int i = 1; i < N; i++) a[i] = a[i - 1] + 1; // RACE(1,1)
  printf("%d\n", a[N - 1] + b[2] > 0);
  return 0;
}
