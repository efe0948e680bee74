// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock is held around a taskgroup; a task from before uses the same lock.
// Bug: a thread that waits for the taskgroup may execute that task. It was there before, which nothing makes sure of.
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "luck.h"

static omp_lock_t lock;
static int x, y;

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      omp_set_lock(&lock); // FINDING(dependence-cycle)
      x++;
      omp_unset_lock(&lock);
      luck_happens();
    }
    await_luck(1);
    omp_set_lock(&lock); // FINDING(dependence-cycle)
#pragma omp taskgroup    // MAY(dependence-cycle)
    {
#pragma omp task
      y++;
    }
    x++;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  printf("x = %d, y = %d\n", x, y);
  return x == 2 && y == 1 ? 0 : 1;
}
