// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More tasks than the runtime queues: it runs the rest at once, which changes nothing in their order.
// Fixed: atomically.
#include <stdio.h>

enum { tasks = 600 };
static int hits;

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < tasks; i++) {
#pragma omp task
    {
#pragma omp atomic
      hits++;
    }
  }
  printf("hits = %d\n", hits);
  return hits == tasks ? 0 : 1;
}
