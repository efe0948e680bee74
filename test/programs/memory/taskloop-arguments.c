// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime gives the memory in which the arguments of a taskloop construct were to the next task. There is no race.
// expect: silent
// flags: -O0
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  long *shared = calloc(1, sizeof *shared), seen = 0;
  for (int round = 0; round < 50; round++) {
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
      {
#pragma omp task
        {
        }
#pragma omp task
        {
          long now = *shared;
#pragma omp atomic
          seen += now;
        }
      }
#pragma omp taskloop grainsize(2) nogroup
      for (int i = 0; i < 2; i++) {
        long now = *shared;
#pragma omp atomic
        seen += now;
      }
    }
  }
  free(shared);
  printf("seen = %ld\n", seen);
  return seen == 0 ? 0 : 1;
}
