// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chain over the elements of an array.
// Fixed: it names the element that it reads.
#include <stdio.h>

int main(void) {
  int a[8] = {0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : a[2])
    a[2] = 5;
#pragma omp task depend(in : a[2]) depend(out : a[3])
    a[3] = a[2] + 1;
  }
  printf("a[3] = %d\n", a[3]);
  return a[3] == 6 ? 0 : 1;
}
