// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock is set inside a taskgroup and unset behind it; a descendant uses the lock.
// Fixed: the lock is set behind the taskgroup.
// threads: 1 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "luck.h"

static omp_lock_t lock;
static int x;

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp task
        {
          omp_set_lock(&lock);
          x++;
          omp_unset_lock(&lock);
          luck_happens();
        }
      }
      await_luck(1);
    }
    omp_set_lock(&lock);
    x++;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
