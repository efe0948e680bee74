// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread creates a task, all threads read its result.
// Fixed: all tasks of the team are complete when a barrier ends (OpenMP 5.1, 2.19.2).
#include <omp.h>
#include <stdio.h>

static int x, got[256];

int main(void) {
#pragma omp parallel
  {
#pragma omp single nowait
    {
#pragma omp task
      x = 42;
    }
#pragma omp barrier
    got[omp_get_thread_num()] = x;
  }
  printf("got = %d\n", got[0]);
  return got[0] == 42 ? 0 : 1;
}
