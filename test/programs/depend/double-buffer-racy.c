// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two buffers are filled and summed up in turns.
// Racy: the dependences name the step, and two steps later the buffer is filled anew.
#include <stdio.h>

static int buf[2][32];
static long sum;

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int g = 0; g < 6; g++) {
    int* b = buf[g % 2];
#pragma omp task firstprivate(b, g) depend(out : buf[0][g])
    for (int i = 0; i < 32; i++) b[i] = g; // RACE(1a) RACE(2,2)
#pragma omp task firstprivate(b, g) depend(in : buf[0][g])
    {
      long s = 0;
      for (int i = 0; i < 32; i++) s += b[i]; // RACE(1b)
#pragma omp atomic
      sum += s;
    }
  }
  printf("%d\n", sum >= 0);
  return 0;
}
