// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two teams share the iterations of a loop.
// Racy: each iteration needs the element of the one before, which at the border is the other team's.
// threads: 2 8
// builds: driver
#include <stdio.h>

enum { n = 400 };
static int a[n];

int main(void) {
#pragma omp teams num_teams(2)
#pragma omp distribute
  for (int i = 1; i < n; i++) a[i] = a[i - 1] + 1; // RACE(1,1)
  printf("last = %d\n", a[n - 1]);
  return a[n - 1] == n - 1 ? 0 : 1;
}
