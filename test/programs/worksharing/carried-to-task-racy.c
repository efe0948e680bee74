// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread gives its tasks the place where they count.
// Racy: it is the same place for all threads.
// threads: 2 8
// builds: stock
#include <stdio.h>

enum { n = 40 };
static int by_number[n];

int main(void) {
#pragma omp parallel
  {
    int own = 0;
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(own)
      by_number[own]++; // RACE(1,1)
#pragma omp taskwait
    }
  }
  int all = 0;
  for (int i = 0; i < n; i++) all += by_number[i];
  printf("%d\n", all);
  return all == n ? 0 : 1;
}
