// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The primary thread reads the configuration, all threads use it.
// Fixed: an explicit barrier follows.
#include <omp.h>
#include <stdio.h>

static int setting, got[256];

int main(void) {
#pragma omp parallel
  {
#pragma omp master
    setting = 3;
#pragma omp barrier
    got[omp_get_thread_num()] = setting;
  }
  printf("got = %d\n", got[0]);
  return got[0] == 3 ? 0 : 1;
}
