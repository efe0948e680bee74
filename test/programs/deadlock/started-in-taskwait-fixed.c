// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock is held in a taskwait; a grandchild uses the lock. It is over before: a taskgroup waits for it.
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
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp task
        {
          omp_set_lock(&lock);
          x++;
          omp_unset_lock(&lock);
        }
      }
    }
    omp_set_lock(&lock);
    x++;
#pragma omp taskwait
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
