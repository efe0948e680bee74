// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last value that a loop computes.
// Racy: the variable is shared, every iteration writes it.
// threads: 2 8
#include <stdio.h>

enum { n = 100 };
static int a[n];

__attribute__((noinline)) static void square(int i, int* result) {
  *result = i * i; // RACE(1,1) ALSO(last)
}

int main(void) {
  int last = -1;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) {
    square(i, &last);
    a[i] = last; // ALSO(last)
  }
  printf("last = %s, a[9] = %d\n", last >= 0 ? "set" : "unset", a[9]);
  return last >= 0 && a[9] == 81 ? 0 : 1;
}
