// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chain over the elements of an array.
// Racy: the consumer names the wrong element.
#include <stdio.h>

int main(void) {
  int a[8] = {0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : a[2])
    a[2] = 5; // RACE(1)
#pragma omp task depend(in : a[1]) depend(out : a[3])
    a[3] = a[2] + 1; // RACE(1)
  }
  printf("a[3] = %d\n", a[3]);
  return a[3] == 6 ? 0 : 1;
}
