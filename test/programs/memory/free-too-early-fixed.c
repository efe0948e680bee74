// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task reads a heap block that its creator frees.
// Fixed: it waits.
#include <stdio.h>
#include <stdlib.h>

enum { n = 16 };
static int sum;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    int* block = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) block[i] = i;
#pragma omp task firstprivate(block)
    for (int i = 0; i < n; i++) sum += block[i];
#pragma omp taskwait
    free(block);
  }
  printf("sum = %d\n", sum);
  return sum == 120 ? 0 : 1;
}
