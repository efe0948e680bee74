// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whoever opens the log in a section of the first construct writes to it in those of the second one.
// Fixed: only that thread does.
// builds: stock
#include <stdio.h>

static int lines, others[3];

int main(void) {
#pragma omp parallel
  {
    int opened = 0;
#pragma omp sections nowait
    {
#pragma omp section
      {
        opened = 1;
        lines = 1;
      }
#pragma omp section
      others[0] = 1;
    }
#pragma omp sections nowait
    {
#pragma omp section
      {
        others[1] = 1;
        if (opened) lines++;
      }
#pragma omp section
      {
        others[2] = 1;
        if (opened) lines++;
      }
    }
  }
  printf("%d\n", others[0] + others[1] + others[2]);
  return lines >= 1 && lines <= 3 ? 0 : 1;
}
