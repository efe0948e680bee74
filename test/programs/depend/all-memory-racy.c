// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task in the middle touches everything.
// Racy: it names another variable only.
#include <stdio.h>

static int x, y;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 1; // RACE(1a)
#pragma omp task depend(out : y)
    x += 5; // RACE(1b)
#pragma omp task depend(in : x) shared(got)
    got = x; // RACE(1a)
  }
  printf("got = %d\n", got);
  return got == 6 ? 0 : 1;
}
