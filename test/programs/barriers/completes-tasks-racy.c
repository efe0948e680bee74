// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread creates a task, all threads read its result.
// Racy: nobody waits for the task; its creator's own read is unordered too.
#include <omp.h>
#include <stdio.h>

static int x, got[256];

int main(void) {
#pragma omp parallel
  {
#pragma omp single nowait
    {
#pragma omp task
      x = 42; // RACE(1)
    }
    got[omp_get_thread_num()] = x; // RACE(1)
  }
  printf("got = %d\n", got[0]);
  return got[0] == 42 ? 0 : 1;
}
