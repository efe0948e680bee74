// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Items that overlap without matching, by tasks that a chain over a third item orders.
// And a phase whose inputs an earlier region's tasks have written.
// expect: silent
// levels: native graph
#include <stdio.h>

static int a[8], turn, sums[2];

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : a[0 : 8]) depend(inout : turn)
    for (int i = 0; i < 8; i++) a[i] = i;
#pragma omp task depend(inout : a[4 : 4]) depend(inout : turn)
    for (int i = 4; i < 8; i++) a[i] += 10;
  }
#pragma omp parallel
#pragma omp single
  for (int h = 0; h < 2; h++) {
#pragma omp task depend(in : a[0]) depend(out : sums[h]) firstprivate(h)
    for (int i = 4 * h; i < 4 * h + 4; i++) sums[h] += a[i];
#pragma omp task depend(in : a[0]) firstprivate(h)
    if (a[0] != 0) printf("wrong\n");
  }
  printf("%d %d\n", sums[0], sums[1]);
  return sums[0] == 6 && sums[1] == 62 ? 0 : 1;
}
