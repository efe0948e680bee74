// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskwait with depend waits for a task and its predecessor, which uses the waiter's lock.
// Bug: the predecessor was there before, which nothing makes sure of.
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
#pragma omp task depend(out : x)
    {
      omp_set_lock(&lock); // FINDING(dependence-cycle)
      x++;
      omp_unset_lock(&lock);
      luck_happens();
    }
#pragma omp task depend(in : x) depend(out : y)
    y = x;
    await_luck(1);
    omp_set_lock(&lock);            // FINDING(dependence-cycle)
#pragma omp taskwait depend(in : y) // MAY(dependence-cycle)
    y++;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  printf("y = %d\n", y);
  return y == 2 ? 0 : 1;
}
