// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads write to one number in main memory, each to one of its own on its stack, and to one of its own in the heap.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int last;

int main(void) {
  int* own = malloc(64 * sizeof *own);
#pragma omp parallel num_threads(4)
  {
    int here[16];
    for (int i = 0; i < 16; i++) here[i] = i;
    for (int i = 0; i < 16; i++) own[omp_get_thread_num() * 16 + i] = here[i];
    last = here[7];
  }
  printf("%d\n", own[15] + last);
  free(own);
  return 0;
}
