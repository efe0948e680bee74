// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks on parts of one array.
// Racy: the sections overlap but do not begin at the same element: not identical list items, hence no dependence.
// levels: native graph
#include <stdio.h>

int main(void) {
  int a[8] = {0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : a[0 : 6])
    for (int i = 0; i < 6; i++) a[i] = i;   // RACE(1)
#pragma omp task depend(inout : a[4 : 4])   // MAY(unmatched-dependence) NAMES(a)
    for (int i = 4; i < 8; i++) a[i] += 10; // RACE(1)
  }
  printf("a[4] = %d, a[7] = %d\n", a[4], a[7]);
  return a[4] == 14 && a[7] == 10 ? 0 : 1;
}
