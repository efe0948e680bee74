// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task's creator holds a lock while it waits for the task, which needs the lock.
// Bug: neither can go on, on whatever thread the task runs.
// threads: 1 4
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int x;

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
    omp_set_lock(&lock);
    x++;
#pragma omp task shared(lock)
    {
      omp_set_lock(&lock); // FINDING(dependence-cycle) NAMES(lock)
      x++;
      omp_unset_lock(&lock);
    }
#pragma omp taskwait // MAY(dependence-cycle)
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
