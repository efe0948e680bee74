// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The creator waits for some of its tasks.
// Fixed: it reads the variable that it waited for.
#include <stdio.h>

static int x, y;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 1;
#pragma omp task depend(out : y)
    y = 1;
#pragma omp taskwait depend(in : x)
    got = x;
  }
  printf("got = %d\n", got);
  return got == 1 ? 0 : 1;
}
