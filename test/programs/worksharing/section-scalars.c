// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each section updates a variable of its own. A compiler may read all of them before it knows which section the thread
// executes: that read is not the program's.
// expect: silent
#include <stdio.h>

static int sum, product = 1;

int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    sum += 3;
#pragma omp section
    product *= 4;
  }
  printf("%d %d\n", sum, product);
  return sum == 3 && product == 4 ? 0 : 1;
}
