// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sibling tasks update one variable.
// Racy: nothing orders them, on one thread or on many.
#include <stdio.h>

int main(void) {
  int x = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    x += 1; // RACE(1)
#pragma omp task
    x *= 3; // RACE(1)
  }
  printf("x = %d\n", x);
  return x == 3 ? 0 : 1;
}
