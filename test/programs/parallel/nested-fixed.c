// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads open an inner region each; its members count in a slot of their outer thread.
// Fixed: the increment is atomic.
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
#pragma omp atomic
      count[outer]++;
    }
  }
  printf("counts = %d %d\n", count[0], count[1]);
  return count[0] == 2 && count[1] == 2 ? 0 : 1;
}
