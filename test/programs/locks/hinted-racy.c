// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A simple and a nestable lock, initialised with hints.
// Racy: each guards half of the updates.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static omp_lock_t simple;
static omp_nest_lock_t nestable;
static int total;

__attribute__((noinline)) static void add_one(void) {
  omp_set_lock(&simple);
  total += 1; // RACE(1)
  omp_unset_lock(&simple);
}

__attribute__((noinline)) static void add_two(void) {
  omp_set_nest_lock(&nestable);
  omp_set_nest_lock(&nestable);
  total += 2; // RACE(1)
  omp_unset_nest_lock(&nestable);
  omp_unset_nest_lock(&nestable);
}

int main(void) {
  omp_init_lock_with_hint(&simple, omp_sync_hint_uncontended);
  omp_init_nest_lock_with_hint(&nestable, omp_sync_hint_contended);
#pragma omp parallel num_threads(2 * ((omp_get_max_threads() + 1) / 2))
  {
    if (omp_get_thread_num() % 2 == 0)
      add_one();
    else
      add_two();
  }
  omp_destroy_lock(&simple);
  omp_destroy_nest_lock(&nestable);
  printf("total = %d\n", total);
  return total % 3 == 0 ? 0 : 1;
}
