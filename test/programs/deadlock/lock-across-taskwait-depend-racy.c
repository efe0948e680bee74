// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskwait with depend waits for one task, while its creator holds a lock.
// Bug: the task needs the lock.
// threads: 4
// levels: graph
#include <omp.h>
#include <stdio.h>

static int x, y;

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
    omp_set_lock(&lock);
    y++;
#pragma omp task depend(out : x) shared(lock)
    {
      omp_set_lock(&lock); // FINDING(dependence-cycle)
      x = ++y;
      omp_unset_lock(&lock);
    }
#pragma omp taskwait depend(in : x)
    x++;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  printf("x = %d\n", x);
  return x == 3 ? 0 : 1;
}
