// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of locks guards one counter.
// Fixed: all take the same lock.
#include <omp.h>
#include <stdio.h>

int main(void) {
  omp_lock_t lock[2];
  int count = 0;
  omp_init_lock(&lock[0]);
  omp_init_lock(&lock[1]);
#pragma omp parallel
  {
    omp_lock_t* mine = &lock[0];
    omp_set_lock(mine);
    count++;
    omp_unset_lock(mine);
  }
  omp_destroy_lock(&lock[0]);
  omp_destroy_lock(&lock[1]);
  printf("count = %d\n", count);
  return count == omp_get_max_threads() ? 0 : 1;
}
