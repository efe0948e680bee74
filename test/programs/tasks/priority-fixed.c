// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One task makes what another one uses.
// Fixed: a dependence orders them, whatever their priorities.
// environment: OMP_MAX_TASK_PRIORITY=10
#include <stdio.h>

static int made, used;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task priority(1) depend(out : made)
    made = 1;
#pragma omp task priority(10) depend(in : made)
    used = made;
  }
  printf("used = %d\n", used);
  return used == 1 ? 0 : 1;
}
