// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread prepares something under a lock, and all meet at a barrier.
// Bug: it keeps the lock until after the barrier; another one needs it before.
// threads: 4
// levels: graph
#include <omp.h>
#include <stdio.h>

static int x, locked;

static void raise_flag(int* flag) {
#pragma omp atomic write seq_cst
  *flag = 1;
}
static void wait_for(int* flag) {
  for (int seen = 0; !seen;) {
#pragma omp atomic read seq_cst
    seen = *flag;
  }
}

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    if (me == 0) {
      omp_set_lock(&lock);
      x++;
      raise_flag(&locked);
    } else if (me == 1) {
      wait_for(&locked);
      omp_set_lock(&lock); // FINDING(dependence-cycle)
      x++;
      omp_unset_lock(&lock);
    }
#pragma omp barrier // FINDING(dependence-cycle)
    if (me == 0) omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
