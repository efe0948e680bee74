// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sibling tasks update one variable.
// Fixed: the first is waited for before the second is created.
#include <stdio.h>

int main(void) {
  int x = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    x += 1;
#pragma omp taskwait
#pragma omp task
    x *= 3;
  }
  printf("x = %d\n", x);
  return x == 3 ? 0 : 1;
}
