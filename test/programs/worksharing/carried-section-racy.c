// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A section of the first construct opens the log, and those of the second one count how often they come.
// Racy: one of them writes to the log, whoever opened it.
// threads: 2 8
// builds: driver
#include <stdio.h>

static int lines, others[3];

int main(void) {
  int all = 0;
#pragma omp parallel reduction(+ : all)
  {
    int came = 0;
#pragma omp sections nowait
    {
#pragma omp section
      {
        came++;
        lines = 1; // RACE(1)
      }
#pragma omp section
      others[0] = 1;
    }
#pragma omp sections nowait
    {
#pragma omp section
      {
        came++;
        lines++; // RACE(1)
      }
#pragma omp section
      others[1] = 1;
    }
    all += came;
  }
  printf("%d %d\n", all, others[0] + others[1]);
  return all == 2 ? 0 : 1;
}
