// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An iteration takes a lock and then waits for its turn; the ordered region of the one before needs the lock.
// Bug: that one is in its region when it finds the lock taken.
// threads: 4
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int x, in_region, locked;

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
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < 2; i++) {
    if (i == 1) {
      wait_for(&in_region);
      omp_set_lock(&lock);
      raise_flag(&locked);
    }
#pragma omp ordered
    {
      if (i == 0) {
        raise_flag(&in_region);
        wait_for(&locked);
      }
      if (i == 0) omp_set_lock(&lock); // FINDING(dependence-cycle) MAY(lock-order-cycle)
      x++;
      omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock);
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
