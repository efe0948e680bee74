// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The primary thread reads the configuration, all threads use it.
// Racy: master has no barrier.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int setting, got[256];

int main(void) {
#pragma omp parallel
  {
#pragma omp master
    setting = 3;                         // RACE(1)
    got[omp_get_thread_num()] = setting; // RACE(1)
  }
  printf("got = %d\n", got[0]);
  return got[0] == 3 ? 0 : 1;
}
