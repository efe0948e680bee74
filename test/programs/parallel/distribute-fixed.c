// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two teams share the iterations of a loop, and their threads those of each team.
// Fixed: no iteration needs another one.
#include <stdio.h>

enum { n = 400 };
static int a[n], b[n];

int main(void) {
#pragma omp teams num_teams(2)
  {
#pragma omp distribute
    for (int i = 1; i < n; i++) a[i] = i;
#pragma omp distribute parallel for schedule(dynamic, 8)
    for (int i = 1; i < n; i++) b[i] = i;
  }
  printf("last = %d, %d\n", a[n - 1], b[n - 1]);
  return a[n - 1] == n - 1 && b[n - 1] == n - 1 ? 0 : 1;
}
