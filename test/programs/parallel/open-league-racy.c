// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A league whose number of teams is the implementation's choice turns an array around.
// Racy: teams have no barrier; the second loop may read what another team is still to write.
#include <stdio.h>

enum { n = 64 };
static int a[n], b[n];

int main(void) {
#pragma omp teams
  {
#pragma omp distribute
    for (int i = 0; i < n; i++) a[i] = i; // RACE(1)
#pragma omp distribute
    for (int i = 0; i < n; i++) b[i] = a[n - 1 - i]; // RACE(1)
  }
  printf("done: %d\n", n);
  return b[0] == n - 1 ? 0 : 1;
}
