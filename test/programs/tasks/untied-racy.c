// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two untied tasks update one variable.
// Racy: nothing orders them.
#include <stdio.h>

static int x;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task untied
    x += 1; // RACE(1)
#pragma omp task untied
    x *= 3; // RACE(1)
  }
  printf("x = %d\n", x);
  return x == 3 ? 0 : 1;
}
