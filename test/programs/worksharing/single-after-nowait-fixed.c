// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A static loop fills an array, then one thread, whichever comes first, reads an element of it.
// Fixed: the loop's barrier.
#include <stdio.h>

enum { n = 400 };
static int a[n];

int main(void) {
  int got = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++) a[i] = i + 1;
#pragma omp single
    got = a[9];
  }
  printf("got = %d\n", got);
  return got == 10 ? 0 : 1;
}
