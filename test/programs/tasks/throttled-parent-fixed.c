// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More tasks than the runtime queues; the last ones have run before their creation returns.
// Fixed: it waits.
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
      result[i] = i + 1;
    }
#pragma omp taskwait
    last = result[tasks - 1];
  }
  printf("last = %d\n", last);
  return last == tasks ? 0 : 1;
}
