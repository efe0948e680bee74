// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop of a task that may have no iteration at all, in a loop that has some; the other task writes what it would
// read. Racy: it has one.
#include <stdio.h>

static int a[10], b[10], count = 1;

static int sum(int rounds, int n) {
  int s = 0;
  for (int round = 0; round < rounds; round++) {
    b[round] = s;
    for (int i = 0; i < n; i++) s += a[i]; // RACE(1)
  }
  return s;
}

int main(void) {
  int n = count, s = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task firstprivate(n) shared(s)
    s = sum(10, n);
#pragma omp task
    a[0] = 0; // RACE(1)
  }
  printf("sum = %d\n", s);
  return s == 0 ? 0 : 1;
}
