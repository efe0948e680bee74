// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More tasks than the runtime queues: it runs the rest at once, which changes nothing in their order.
// Racy: all increment one counter.
#include <stdio.h>

enum { tasks = 600 };
static int hits;

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < tasks; i++) {
#pragma omp task
    {
      hits++; // RACE(1,1)
    }
  }
  printf("hits = %d\n", hits);
  return hits == tasks ? 0 : 1;
}
