// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Even threads poll a lock with omp_test_lock, odd threads wait for it.
// Racy: they poll another lock than the one the odd threads wait for.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static omp_lock_t first, second;
static int total;

__attribute__((noinline)) static void poll_and_add(void) {
  while (!omp_test_lock(&first)) {
  }
  total += 1; // RACE(1)
  omp_unset_lock(&first);
}

__attribute__((noinline)) static void wait_and_add(void) {
  omp_lock_t* lock = &second;
  omp_set_lock(lock);
  total += 2; // RACE(1)
  omp_unset_lock(lock);
}

int main(void) {
  omp_init_lock(&first);
  omp_init_lock(&second);
#pragma omp parallel num_threads(2 * ((omp_get_max_threads() + 1) / 2))
  {
    if (omp_get_thread_num() % 2 == 0)
      poll_and_add();
    else
      wait_and_add();
  }
  omp_destroy_lock(&first);
  omp_destroy_lock(&second);
  printf("total = %d\n", total);
  return total % 3 == 0 ? 0 : 1;
}
