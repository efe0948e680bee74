// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function with a barrier, called after a single construct.
// Fixed.
// threads: 2 4
// levels: native graph
#include <stdio.h>

static int x;

static void next_phase(void) {
#pragma omp barrier
}

int main(void) {
#pragma omp parallel
  {
#pragma omp single
    {
      x++;
    }
    next_phase();
  }
  printf("x = %d\n", x);
  return x == 1 ? 0 : 1;
}
