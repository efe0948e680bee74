// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskloop of many tasks, most of which are made by tasks of the runtime's own that divide the iterations among them.
// All of them are created at the construct.
// threads: 2 8
// compilers: clang
#include <stdio.h>

enum { n = 1000 };
static int a[n], last;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < n; i++) {
      if (i == n - 3) {
        a[i] = last;
      }
    }
    last = 5;
  }
  printf("a = %d\n", a[0]);
  return 0;
}
