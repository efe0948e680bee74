// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A static loop fills an array, then a task of whichever thread comes first reads an element of it.
// Racy: nowait; the task comes after what its creator did only.
// threads: 2 8
// compilers: clang
#include <stdio.h>

enum { n = 400 };
static int a[n];

int main(void) {
  int got = 0;
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; i++) a[i] = i + 1; // RACE(1)
#pragma omp single
#pragma omp task shared(got)
    got = a[9]; // RACE(1)
  }
  printf("got = %d\n", got);
  return got == 10 ? 0 : 1;
}
