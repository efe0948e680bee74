// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A guided loop computes by way of a variable.
// Fixed: each iteration has its own.
#include <stdio.h>
#include <stdlib.h>

enum { n = 400 };

int main(void) {
  int* a = malloc(n * sizeof *a);
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < n; i++) {
    const int square = i * i;
    a[i] = square;
  }
  printf("last = %d\n", a[n - 1]);
  const int right = a[n - 1] == (n - 1) * (n - 1);
  free(a);
  return right ? 0 : 1;
}
