// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread initialises, all threads use.
// Racy: single nowait has no barrier at its end.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int factor, got[256];

int main(void) {
#pragma omp parallel
  {
#pragma omp single nowait
    factor = 7;                         // RACE(1)
    got[omp_get_thread_num()] = factor; // RACE(1)
  }
  printf("got = %d\n", got[0]);
  return got[0] == 7 ? 0 : 1;
}
