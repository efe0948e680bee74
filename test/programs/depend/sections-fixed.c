// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks on sections of one array.
// Fixed: the sections are disjoint.
// levels: native graph
#include <stdio.h>

static int a[8];

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : a[0 : 4])
    for (int i = 0; i < 4; i++) a[i] = i;
#pragma omp task depend(inout : a[4 : 4])
    for (int i = 4; i < 8; i++) a[i] += 10;
  }
  printf("%d %d\n", a[3], a[7]);
  return a[3] == 3 && a[7] == 10 ? 0 : 1;
}
