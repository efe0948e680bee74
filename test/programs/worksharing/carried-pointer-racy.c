// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread keeps a pointer to where it counts its chunks.
// Racy: it is the same place for all of them.
// threads: 2 8
#include <stdio.h>

enum { n = 40 };
static int counts[n];

int main(void) {
#pragma omp parallel
  {
    int* own = &counts[0];
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < n; i++) {
      ++*own; // RACE(1,1)
    }
  }
  int all = 0;
  for (int i = 0; i < n; i++) all += counts[i];
  printf("%d\n", all);
  return all == n ? 0 : 1;
}
