// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One task makes what another one uses.
// Racy: a priority is a hint; it orders nothing.
// environment: OMP_MAX_TASK_PRIORITY=10
#include <stdio.h>

static int made, used;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task priority(10)
    made = 1; // RACE(1)
#pragma omp task priority(1)
    used = made; // RACE(1)
  }
  printf("used = %d\n", used);
  return used == 1 ? 0 : 1;
}
