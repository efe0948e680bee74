// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sections produce a value each, all threads use both.
// Fixed: sections ends with a barrier.
#include <omp.h>
#include <stdio.h>

static int x, y, got[256];

int main(void) {
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      x = 1;
#pragma omp section
      y = 2;
    }
    got[omp_get_thread_num()] = x + y;
  }
  printf("got = %d\n", got[0]);
  return got[0] == 3 ? 0 : 1;
}
