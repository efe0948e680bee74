// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each iteration of a dynamic loop needs the element of the one before.
// Fixed: it reads an array that nobody writes.
#include <stdio.h>

enum { n = 400 };

int main(void) {
  int a[n], b[n];
  for (int i = 0; i < n; i++) a[i] = b[i] = i;
#pragma omp parallel for schedule(dynamic, 8)
  for (int i = 1; i < n; i++) a[i] = b[i - 1] + 1;
  printf("last = %d\n", a[n - 1]);
  return a[n - 1] == n - 1 ? 0 : 1;
}
