// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock is taken behind a taskgroup; a task from before uses the same lock, and so does a thread that no wait can
// execute.
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "luck.h"

static omp_lock_t lock;
static int x, y;

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
#pragma omp single nowait
    {
#pragma omp task
      {
        omp_set_lock(&lock);
        x++;
        omp_unset_lock(&lock);
        luck_happens();
      }
      await_luck(1);
#pragma omp taskgroup
      {
#pragma omp task
        y++;
      }
      omp_set_lock(&lock);
      x++;
      omp_unset_lock(&lock);
    }
    omp_set_lock(&lock);
    x++;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  printf("x = %d, y = %d\n", x, y);
  return x == 4 && y == 1 ? 0 : 1;
}
