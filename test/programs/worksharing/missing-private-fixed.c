// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A temporary that lives outside the loop.
// Fixed: private.
#include <stdio.h>

enum { n = 1000 };
static int a[n], b[n];

__attribute__((noinline)) static void twice(int value, int* result) { *result = value * 2; }

int main(void) {
  int tmp = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp parallel for schedule(static) private(tmp)
  for (int i = 0; i < n; i++) {
    twice(a[i], &tmp);
    b[i] = tmp + 1;
  }
  printf("b[1] = %d, tmp = %s\n", b[1], tmp < 0 ? "?" : "set");
  return b[1] == 3 ? 0 : 1;
}
