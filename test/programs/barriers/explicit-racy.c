// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread writes its element and reads its neighbour's.
// Racy: no barrier between the two phases.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int a[256], b[256];

int main(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    int n = omp_get_num_threads();
    a[me] = me + 1;          // RACE(1)
    b[me] = a[(me + 1) % n]; // RACE(1)
  }
  int n = omp_get_max_threads();
  printf("last = %d\n", b[n - 1]);
  return b[n - 1] == 1 ? 0 : 1;
}
