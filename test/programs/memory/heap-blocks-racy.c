// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks work in heap blocks.
// Racy: all in one.
#include <stdio.h>
#include <stdlib.h>

enum { tasks = 40, n = 8 };
static int result[tasks];

int main(void) {
  int* shared_block = malloc(n * sizeof(int));
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < tasks; t++) {
#pragma omp task firstprivate(t)
    {
      int* block = shared_block;
      for (int i = 0; i < n; i++) block[i] = t + i;      // RACE(1,1) ALSO(block)
      for (int i = 0; i < n; i++) result[t] += block[i]; // ALSO(block)
    }
  }
  free(shared_block);
  printf("result = %d %d\n", result[0], result[tasks - 1]);
  return result[0] == 28 && result[tasks - 1] == 28 + n * (tasks - 1) ? 0 : 1;
}
