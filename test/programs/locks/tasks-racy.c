// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sibling tasks add to one total.
// Racy: the second without the lock.
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
      total += 1; // RACE(1)
      omp_unset_lock(&lock);
    }
#pragma omp task
    {
      total += 2; // RACE(1)
    }
  }
  omp_destroy_lock(&lock);
  printf("total = %d\n", total);
  return total == 3 ? 0 : 1;
}
