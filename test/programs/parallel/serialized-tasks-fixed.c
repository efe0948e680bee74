// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A region with if(0) has a team of one; explicit tasks in it are still unordered.
// Fixed: a taskwait between them.
#include <stdio.h>

int main(void) {
  int x = 0;
#pragma omp parallel if (0)
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
