// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library that is opened late: memory, thread-local data, a region, tasks, and a race where it is asked for one.
#include <stdlib.h>

static _Thread_local int calls;
static int total;

int work(int racy) {
  int sum = 0;
  int* values = malloc(1000 * sizeof(int));
#pragma omp parallel num_threads(2)
  {
    calls++;
#pragma omp for
    for (int i = 0; i < 1000; i++) values[i] = i;
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(sum)
      {
#pragma omp atomic
        sum += values[i * 100];
      }
    }
    if (racy) total++;
  }
  free(values);
  return sum;
}
