// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two buffers are filled and summed up in turns.
// Fixed: they name the buffer.
#include <stdio.h>

static int buf[2][32];
static long sum;

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int g = 0; g < 6; g++) {
    int* b = buf[g % 2];
#pragma omp task depend(out : b[0]) firstprivate(b, g)
    for (int i = 0; i < 32; i++) b[i] = g;
#pragma omp task depend(in : b[0]) firstprivate(b)
    {
      long s = 0;
      for (int i = 0; i < 32; i++) s += b[i];
#pragma omp atomic
      sum += s;
    }
  }
  printf("%d\n", sum >= 0);
  return 0;
}
