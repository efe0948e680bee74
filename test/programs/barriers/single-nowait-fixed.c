// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread initialises, all threads use.
// Fixed: single ends with a barrier.
#include <omp.h>
#include <stdio.h>

static int factor, got[256];

int main(void) {
#pragma omp parallel
  {
#pragma omp single
    factor = 7;
    got[omp_get_thread_num()] = factor;
  }
  printf("got = %d\n", got[0]);
  return got[0] == 7 ? 0 : 1;
}
