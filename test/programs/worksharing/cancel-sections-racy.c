// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sections look for something in two ways; the one that has it cancels the other.
// Racy: both count their steps in one variable.
// threads: 2 8
// environment: OMP_CANCELLATION=true
#include <stdio.h>

static int steps, up, down;

int main(void) {
#pragma omp parallel
#pragma omp sections
  {
#pragma omp section
    {
      steps++; // RACE(1)
      up = 1;
#pragma omp cancel sections
    }
#pragma omp section
    {
      steps++; // RACE(1)
      down = 1;
#pragma omp cancellation point sections
    }
  }
  printf("found = %d\n", up || down);
  return up || down ? 0 : 1;
}
