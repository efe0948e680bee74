// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections for whoever comes.
// Fixed: all come.
// threads: 2 4
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int x, y, z;

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() != 0)
#pragma omp atomic
      z++;

#pragma omp sections
    {
#pragma omp section
      x = 1;
#pragma omp section
      y = 1;
    }
  }
  printf("%d\n", x + y + (z > 0));
  return x + y + (z > 0) == 3 ? 0 : 1;
}
