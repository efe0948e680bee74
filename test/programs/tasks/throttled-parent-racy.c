// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More tasks than the runtime queues; the last ones have run before their creation returns.
// Racy: the creator reads the last result without a taskwait.
#include <stdio.h>

enum { tasks = 600 };
static int result[tasks];

int main(void) {
  int last = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < tasks; i++) {
#pragma omp task firstprivate(i)
      result[i] = i + 1; // RACE(1)
    }
    last = result[tasks - 1]; // RACE(1)
  }
  printf("last = %d\n", last);
  return last == tasks ? 0 : 1;
}
