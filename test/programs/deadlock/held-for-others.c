// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock is held in waits for tasks that do not use it; tasks that are over did, and other threads do.
// Nobody waits for anybody who needs the lock, nor can the waiting thread start somebody.
// expect: silent
// threads: 1 2 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int x, mine;

static void count(void) {
  omp_set_lock(&lock);
  x++;
  omp_unset_lock(&lock);
}

int main(void) {
  int threads = 0;
  omp_init_lock(&lock);
#pragma omp parallel
  {
#pragma omp single nowait
    {
      threads = omp_get_num_threads();
#pragma omp taskgroup
      {
#pragma omp task
        {
#pragma omp task
          count();
        }
      }
#pragma omp task depend(out : x)
      count();
#pragma omp taskwait depend(in : x)
      for (int i = 0; i < 10; i++) {
        omp_set_lock(&lock);
#pragma omp taskgroup
        {
#pragma omp task
          mine++;
        }
        x++;
        omp_unset_lock(&lock);
      }
    }
    count();
  }
  omp_destroy_lock(&lock);
  printf("x = %d, mine = %d\n", x - threads, mine);
  return x == 12 + threads && mine == 10 ? 0 : 1;
}
