// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two untied tasks update one variable.
// Fixed: the first is waited for before the second is created.
#include <stdio.h>

static int x;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task untied
    x += 1;
#pragma omp taskwait
#pragma omp task untied
    x *= 3;
  }
  printf("x = %d\n", x);
  return x == 3 ? 0 : 1;
}
