// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread leaves a part; the last to arrive sums them up.
// Racy: the counter is relaxed, the last thread does not see the others' parts in order.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int part[256], arrived, total;

int main(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    int n = omp_get_num_threads();
    int before;
    part[me] = me + 1; // RACE(1)
#pragma omp atomic capture
    before = arrived++;
    if (before == n - 1)
      for (int i = 0; i < n; i++) total += part[i]; // RACE(1)
  }
  int n = omp_get_max_threads();
  printf("total = %d\n", total);
  return total == n * (n + 1) / 2 ? 0 : 1;
}
