// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads open an inner region each; its members count in a slot of their outer thread.
// Racy: the two members of one inner region increment the same slot.
#include <omp.h>
#include <stdio.h>

int main(void) {
  int count[2] = {0, 0};
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
    {
      count[outer]++; // RACE(1,1)
    }
  }
  printf("counts = %d %d\n", count[0], count[1]);
  return count[0] == 2 && count[1] == 2 ? 0 : 1;
}
