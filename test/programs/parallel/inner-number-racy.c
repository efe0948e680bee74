// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of inner regions ask for their number, which is the same in each of these teams and says nothing of the
// outer thread.
// Racy: the regions are in tasks that nothing orders.
// threads: 1 2 4
#include <omp.h>
#include <stdio.h>

static long sum, slots[2];

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 4; i++) {
#pragma omp task
    {
#pragma omp parallel num_threads(2)
#pragma omp masked
      sum += 1; // RACE(1,1)
    }
#pragma omp task
    {
#pragma omp parallel num_threads(2)
      slots[omp_get_thread_num()] += 1; // RACE(2,2)
    }
  }
  printf("%ld\n", sum + slots[0] + slots[1]);
  return 0;
}
