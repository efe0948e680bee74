// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks write the elements that a table gives to them.
// Racy: the second one writes all of them.
#include <stdio.h>

enum { n = 64 };
static int a[n], owner[n];

static void write_own(int self, int other) {
  for (int i = 0; i < n; i++)
    if (owner[i] == self || owner[i] == other) a[i] = self; // RACE(1,1)
}

int main(void) {
  for (int i = 0; i < n; i++) owner[i] = i * i % 3 % 2;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    write_own(0, 2);
#pragma omp task
    write_own(1, 0);
  }
  printf("a[1] = %d\n", a[1]);
  return a[1] == 1 ? 0 : 1;
}
