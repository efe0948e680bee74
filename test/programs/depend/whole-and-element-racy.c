// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task fills an array, another reads one element.
// Racy: the whole array and its element are different list items.
// levels: native graph
#include <stdio.h>

static int a[8];

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : a)               // FINDING(unmatched-dependence,1)
    for (int i = 0; i < 8; i++) a[i] = i;      // RACE(1)
#pragma omp task depend(in : a[4]) shared(got) // FINDING(unmatched-dependence,1)
    got = a[4];                                // RACE(1)
  }
  printf("got = %d\n", got);
  return got == 4 ? 0 : 1;
}
