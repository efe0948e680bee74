// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks of an inoutset, then a reader.
// Fixed: each updates its own variable; the reader comes after both.
// compilers: clang
#include <stdio.h>

int main(void) {
  int x = 0, y = 0, got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inoutset : x)
    x += 1;
#pragma omp task depend(inoutset : x) shared(y)
    y += 2;
#pragma omp task depend(in : x) shared(y)
    got = x + y;
  }
  printf("got = %d\n", got);
  return got == 3 ? 0 : 1;
}
