// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections without a barrier at their end that the last thread does not come to.
// Fixed: all threads do.
// flags: -fno-optimize-sibling-calls
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int x, y;

int main(void) {
#pragma omp parallel
  {
#pragma omp sections nowait
    {
#pragma omp atomic
      x++;
#pragma omp section
#pragma omp atomic
      y++;
    }
#pragma omp barrier
  }
  printf("%d\n", x <= 1 && y <= 1);
  return x <= 1 && y <= 1 ? 0 : 1;
}
