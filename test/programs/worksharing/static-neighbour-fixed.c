// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop adds each element's right neighbour to it.
// Fixed: the result goes to another array.
#include <stdio.h>

enum { n = 1000 };
static int a[n + 1], b[n + 1];

int main(void) {
  for (int i = 0; i <= n; i++) a[i] = i;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) b[i] = a[i] + a[i + 1];
  printf("first = %d\n", b[0]);
  return b[0] == 1 ? 0 : 1;
}
