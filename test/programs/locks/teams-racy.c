// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock in a league of two teams.
// Racy: a lock excludes the tasks of one contention group (OpenMP 5.1, 3.9), and each team of a league is a contention
// group of its own. That a host's lock happens to exclude all threads is no promise.
#include <omp.h>
#include <stdio.h>

int main(void) {
  omp_lock_t lock;
  int total = 0;
  omp_init_lock(&lock);
#pragma omp teams num_teams(2) shared(total, lock)
#pragma omp parallel num_threads(1)
  {
    omp_set_lock(&lock);
    total++; // RACE(1,1)
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  printf("total = %d\n", total);
  return total == 2 ? 0 : 1;
}
