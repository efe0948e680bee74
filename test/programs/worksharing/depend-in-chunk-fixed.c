// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two iterations of a dynamic loop write to a variable.
// Fixed: each by a task in a critical construct. A thread that executes several iterations has siblings, which
// dependences on elements of its own order, and what comes before the first of them comes before the others.
// threads: 1 2 8
// compilers: clang
#include <stdio.h>

static int x;

int main(void) {
#pragma omp parallel
  {
    int token = 0, mine[32];
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 32; i++) {
      mine[i] = i;
#pragma omp task depend(inout : token) shared(mine)
      {
        for (int k = 0; k <= i; k++) mine[i] += k;
#pragma omp critical
        x += mine[i] > 0;
      }
    }
#pragma omp taskwait
  }
  printf("x = %d\n", x);
  return 0;
}
