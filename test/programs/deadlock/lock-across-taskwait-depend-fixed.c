// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskwait with depend waits for one task, while its creator holds a lock.
// Fixed: the lock is free again before the wait.
// threads: 2 4
// levels: native graph
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
    omp_unset_lock(&lock);
#pragma omp task depend(out : x) shared(lock)
    {
      omp_set_lock(&lock);
      x = ++y;
      omp_unset_lock(&lock);
    }
#pragma omp taskwait depend(in : x)
    x++;
  }
  omp_destroy_lock(&lock);
  printf("x = %d\n", x);
  return x == 3 ? 0 : 1;
}
