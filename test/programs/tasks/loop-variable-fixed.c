// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop creates a task for each of its iterations.
// Fixed: each task has its own copy from the time of its creation.
#include <stdio.h>

static int i;

int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
    for (i = 0; i < 10; i++) {
#pragma omp task firstprivate(i)
      {
        int mine = i;
#pragma omp atomic
        sum += mine;
      }
    }
  }
  printf("sum = %d\n", sum);
  return sum == 45 ? 0 : 1;
}
