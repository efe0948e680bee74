// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tied tasks use the scratch memory of the thread that executes them, which a thread-local pointer leads to: no other
// thread knows it, and no task waits in the midst of using it.
// threads: 1 2 8
// expect: silent
#include <stdio.h>
#include <stdlib.h>

enum { n = 64, tasks = 50 };
static _Thread_local int* scratch;

int main(void) {
  long sum = 0;
#pragma omp parallel
  {
#pragma omp single
    for (int i = 0; i < tasks; i++) {
#pragma omp task shared(sum) firstprivate(i)
      {
        if (scratch == NULL) scratch = malloc(n * sizeof *scratch);
        int* mine = scratch;
        int part = 0;
        for (int k = 0; k < n; k++) mine[k] = i;
        for (int k = 0; k < n; k++) part += mine[k];
#pragma omp atomic
        sum += part;
      }
    }
    free(scratch);
  }
  printf("%ld\n", sum);
  return 0;
}
