// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks update x one after the other.
// Fixed: both say inout.
#include <stdio.h>

int main(void) {
  int x = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inout : x)
    x += 1;
#pragma omp task depend(inout : x)
    x *= 3;
  }
  printf("x = %d\n", x);
  return x == 3 ? 0 : 1;
}
