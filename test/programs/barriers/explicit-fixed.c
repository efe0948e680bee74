// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread writes its element and reads its neighbour's.
// Fixed: a barrier between the two phases.
#include <omp.h>
#include <stdio.h>

static int a[256], b[256];

int main(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    int n = omp_get_num_threads();
    a[me] = me + 1;
#pragma omp barrier
    b[me] = a[(me + 1) % n];
  }
  int n = omp_get_max_threads();
  printf("last = %d\n", b[n - 1]);
  return b[n - 1] == 1 ? 0 : 1;
}
