// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop in a function of its own, and a variable of the file's.
// Repaired: only the last one does.
// compilers: clang
// builds: driver
#include <stdio.h>

enum { n = 64 };
static int seen, a[n];

static void scan(int first, int second) {
#pragma omp for schedule(static) nowait
  for (int i = 0; i < n; i++) {
    a[i] = i;
    if (i == first || i == second) seen = i;
  }
}

int main(void) {
#pragma omp parallel
  scan(n - 1, n - 1);
  printf("%d\n", seen);
  return seen >= 0 ? 0 : 1;
}
