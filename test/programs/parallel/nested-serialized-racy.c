// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each of two threads opens an inner region that if(0) makes a team of one.
// Racy: the two inner regions have different parents and write one slot.
#include <omp.h>
#include <stdio.h>

int main(void) {
  int slot[2] = {0, 0};
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
#pragma omp parallel if (0)
    {
      slot[0] += me + 1; // RACE(1,1)
    }
  }
  printf("sum = %d\n", slot[0] + slot[1]);
  return slot[0] + slot[1] == 3 ? 0 : 1;
}
