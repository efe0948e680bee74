// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many tasks count atomically; only the final value is read.
// Racy: the creator reads the value before it has waited.
#include <stdio.h>

static int count;

int main(void) {
  int seen = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 20; i++) {
#pragma omp task
      {
#pragma omp atomic
        count += 1; // RACE(1)
      }
    }
    seen = count; // RACE(1)
#pragma omp taskwait
  }
  printf("count = %d\n", count);
  return count == 20 && seen <= 20 ? 0 : 1;
}
