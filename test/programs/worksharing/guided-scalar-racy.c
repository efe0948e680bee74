// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A guided loop computes by way of a variable.
// Racy: the variable is shared, and two chunks use it at once.
// threads: 2 8
#include <stdio.h>
#include <stdlib.h>

enum { n = 400 };

int main(void) {
  int* a = malloc(n * sizeof *a);
  int square = 0;
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < n; i++) {
    square = i * i; // RACE(1*)
    a[i] = square;  // RACE(1*)
  }
  printf("last = %d\n", a[n - 1]);
  const int right = a[n - 1] == (n - 1) * (n - 1);
  free(a);
  return right ? 0 : 1;
}
