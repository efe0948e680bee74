// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A static loop fills an array, then one thread, whichever comes first, reads an element of it.
// Racy: nowait; the element may be another thread's, also if the thread that wrote it came first.
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
    got = a[9]; // RACE(1)
  }
  printf("got = %d\n", got);
  return got == 10 ? 0 : 1;
}
