// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task takes a lock; its creator holds the lock while it waits for the task.
// Fixed: the creator waits before it takes the lock.
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
#pragma omp task
    {
      omp_set_lock(&lock);
      x++;
      omp_unset_lock(&lock);
      luck_happens();
    }
    await_luck(1);
#pragma omp taskwait
    omp_set_lock(&lock);
    x++;
#pragma omp taskwait
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
