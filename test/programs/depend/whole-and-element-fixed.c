// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task fills an array, another reads one element.
// Fixed: both name the array.
// levels: native graph
#include <stdio.h>

static int a[8];

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : a)
    for (int i = 0; i < 8; i++) a[i] = i;
#pragma omp task depend(in : a) shared(got)
    got = a[4];
  }
  printf("got = %d\n", got);
  return got == 4 ? 0 : 1;
}
