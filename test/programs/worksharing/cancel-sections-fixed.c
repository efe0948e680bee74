// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sections look for something in two ways; the one that has it cancels the other.
// Fixed: they count atomically.
// environment: OMP_CANCELLATION=true
#include <stdio.h>

static int steps, up, down;

int main(void) {
#pragma omp parallel
#pragma omp sections
  {
#pragma omp section
    {
#pragma omp atomic
      steps++;
      up = 1;
#pragma omp cancel sections
    }
#pragma omp section
    {
#pragma omp atomic
      steps++;
      down = 1;
#pragma omp cancellation point sections
    }
  }
  printf("found = %d\n", up || down);
  return up || down ? 0 : 1;
}
