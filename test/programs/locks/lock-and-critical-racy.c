// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One side protects with a lock.
// Racy: the other side with a critical section, which is no lock of that name.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int total;

__attribute__((noinline)) static void add(void) {
  omp_set_lock(&lock);
  total += 3; // RACE(1)
  omp_unset_lock(&lock);
}

__attribute__((noinline)) static void take(void) {
#pragma omp critical
  total -= 1; // RACE(1)
}

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0)
      take();
    else
      add();
  }
  omp_destroy_lock(&lock);
  printf("total = %d\n", total);
  return total == 3 * (omp_get_max_threads() - 1) - 1 ? 0 : 1;
}
