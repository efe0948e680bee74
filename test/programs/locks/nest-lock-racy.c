// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A nestable lock: add() takes it, and may be called by who holds it already.
// Racy: the caller does not hold it; its own update after add() is unprotected.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static omp_nest_lock_t lock;
static int total;

__attribute__((noinline)) static void add(int amount) {
  omp_set_nest_lock(&lock);
  total += amount; // RACE(1)
  omp_unset_nest_lock(&lock);
}

__attribute__((noinline)) static void add_with_bonus(int amount) {
  add(amount);
  total += 100; // RACE(1) ALSO(bonus)
}

int main(void) {
  omp_init_nest_lock(&lock);
#pragma omp parallel
  add_with_bonus(1);
  omp_destroy_nest_lock(&lock);
  printf("total = %d\n", total);
  return total == 101 * omp_get_max_threads() ? 0 : 1;
}
