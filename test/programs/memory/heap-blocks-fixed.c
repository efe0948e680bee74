// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks work in heap blocks.
// Fixed: each in its own; the allocator gives the address of a freed block to the next task.
#include <stdio.h>
#include <stdlib.h>

enum { tasks = 40, n = 8 };
static int result[tasks];

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < tasks; t++) {
#pragma omp task firstprivate(t)
    {
      int* block = malloc(n * sizeof(int));
      for (int i = 0; i < n; i++) block[i] = t + i;
      for (int i = 0; i < n; i++) result[t] += block[i];
      free(block);
    }
  }
  printf("result = %d %d\n", result[0], result[tasks - 1]);
  return result[0] == 28 && result[tasks - 1] == 28 + n * (tasks - 1) ? 0 : 1;
}
