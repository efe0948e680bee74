// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two loops as one.
// Repaired: only the columns are shared.
// compilers: clang
// builds: driver
#include <stdio.h>

enum { rows = 16, columns = 6 };
static int a[rows][columns + 3];

int main(void) {
  for (int k = 0; k < columns + 3; k++) a[0][k] = k;
#pragma omp parallel
  for (int i = 1; i < rows; i++) {
#pragma omp for schedule(static)
    for (int k = 0; k < columns; k++) a[i][k] = a[i - 1][k + 3];
  }
  printf("%d\n", a[0][0]);
  return a[0][0];
}
