// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread keeps a pointer to the element of the first chunk that it got, and counts its chunks there.
// Fixed: the element is the thread's own, whatever it executes; no other thread gets that chunk.
// builds: stock
#include <stdio.h>

enum { n = 40 };
static int counts[n];

int main(void) {
#pragma omp parallel
  {
    int* own = NULL;
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < n; i++) {
      if (own == NULL) own = &counts[i];
      ++*own;
    }
  }
  int all = 0;
  for (int i = 0; i < n; i++) all += counts[i];
  printf("%d\n", all);
  return all == n ? 0 : 1;
}
