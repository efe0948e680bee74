// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task waits for a child of its own that uses a lock, which the task's creator holds while it waits.
// Bug: the grandchild was there before, which nothing makes sure of.
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
#pragma omp task
      {
        omp_set_lock(&lock); // FINDING(dependence-cycle)
        x++;
        omp_unset_lock(&lock);
        luck_happens();
      }
#pragma omp taskwait
    }
    await_luck(1);
    omp_set_lock(&lock); // FINDING(dependence-cycle)
    x++;
#pragma omp taskwait // MAY(dependence-cycle)
    x++;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  printf("x = %d\n", x);
  return x == 3 ? 0 : 1;
}
