// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks update x one after the other.
// Racy: both say in, and two readers are not ordered.
#include <stdio.h>

int main(void) {
  int x = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(in : x)
    x += 1; // RACE(1)
#pragma omp task depend(in : x)
    x *= 3; // RACE(1)
  }
  printf("x = %d\n", x);
  return x == 3 ? 0 : 1;
}
