// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sections produce a value each, all threads use both.
// Racy: sections nowait has no barrier at its end.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int x, y, got[256];

int main(void) {
#pragma omp parallel
  {
#pragma omp sections nowait
    {
#pragma omp section
      x = 1; // RACE(1)
#pragma omp section
      y = 2; // RACE(2)
    }
    got[omp_get_thread_num()] = x + y; // RACE(1) RACE(2)
  }
  printf("got = %d\n", got[0]);
  return got[0] == 3 ? 0 : 1;
}
