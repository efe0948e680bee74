// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sibling tasks add to one total.
// Fixed: both add while they hold the lock.
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int total;

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      omp_set_lock(&lock);
      total += 1;
      omp_unset_lock(&lock);
    }
#pragma omp task
    {
      omp_set_lock(&lock);
      total += 2;
      omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock);
  printf("total = %d\n", total);
  return total == 3 ? 0 : 1;
}
