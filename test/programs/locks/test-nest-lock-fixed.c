// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads poll a nestable lock and take it a second time inside.
// Fixed: the update comes before the outer level is released.
#include <omp.h>
#include <stdio.h>

static omp_nest_lock_t lock;
static int total;

__attribute__((noinline)) static void poll_and_add(void) {
  while (omp_test_nest_lock(&lock) == 0) {
  }
  omp_set_nest_lock(&lock);
  omp_unset_nest_lock(&lock);
  total += 1;
  omp_unset_nest_lock(&lock);
}

int main(void) {
  omp_init_nest_lock(&lock);
#pragma omp parallel
  poll_and_add();
  omp_destroy_nest_lock(&lock);
  printf("total = %d\n", total);
  return total == omp_get_max_threads() ? 0 : 1;
}
