// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first thread holds a lock across a barrier; the others use the lock before the barrier.
// Bug: they were there before the first thread, by luck.
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
    const int me = omp_get_thread_num();
    if (me != 0) {
      omp_set_lock(&lock); // FINDING(dependence-cycle)
      x++;
      omp_unset_lock(&lock);
      luck_happens();
    }
    if (me == 0) {
      await_luck(omp_get_num_threads() - 1);
      omp_set_lock(&lock); // FINDING(dependence-cycle)
      x++;
    }
#pragma omp barrier // MAY(dependence-cycle)
    if (me == 0) omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  const int n = omp_get_max_threads();
  printf("x = %d\n", x);
  return x == n ? 0 : 1;
}
