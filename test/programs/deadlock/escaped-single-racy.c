// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every thread counts itself under a lock; who executes the single construct keeps the lock.
// Bug: the construct ends with a barrier, which all must be able to reach.
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "luck.h"

static omp_lock_t lock;
static int x;

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
  {
    int kept = 0;
    omp_set_lock(&lock); // FINDING(dependence-cycle)
    x++;
    omp_unset_lock(&lock);
    luck_happens();
#pragma omp single // MAY(dependence-cycle)
    {
      await_luck(omp_get_num_threads());
      omp_set_lock(&lock); // FINDING(dependence-cycle)
      x++;
      kept = 1;
    } // MAY(dependence-cycle)
    if (kept) omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  const int n = omp_get_max_threads();
  printf("x = %d\n", x);
  return x == n + 1 ? 0 : 1;
}
