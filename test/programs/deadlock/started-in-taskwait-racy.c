// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock is held in a taskwait; a grandchild uses the lock.
// Bug: the waiting thread may execute the grandchild, which then waits for a lock that is held below it. Nothing else
// makes the two wait for each other, so that most runs end.
// threads: 1 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int x;

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task // MAY(dependence-cycle)
    {
#pragma omp task // MAY(dependence-cycle)
      {
        omp_set_lock(&lock); // FINDING(dependence-cycle)
        x++;
        omp_unset_lock(&lock);
      }
    }
    omp_set_lock(&lock); // FINDING(dependence-cycle)
    x++;
#pragma omp taskwait // MAY(dependence-cycle)
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
