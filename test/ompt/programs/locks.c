// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks, nestable locks, test locks, critical, ordered.
#include <omp.h>
int main(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  omp_set_lock(&lock);
  if (omp_test_lock(&lock)) return 1;
  omp_unset_lock(&lock);
  omp_set_nest_lock(&nest);
  omp_set_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
  int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp critical
  sum++;
#pragma omp parallel for ordered num_threads(2)
  for (int i = 0; i < 2; ++i) {
#pragma omp ordered
    sum++;
  }
#pragma omp flush
  omp_destroy_nest_lock(&nest);
  omp_destroy_lock(&lock);
  return sum == 4 ? 0 : 1;
}
