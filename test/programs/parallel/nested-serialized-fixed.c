// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each of two threads opens an inner region that if(0) makes a team of one.
// Fixed: each writes the slot of its outer thread.
#include <omp.h>
#include <stdio.h>

int main(void) {
  int slot[2] = {0, 0};
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
#pragma omp parallel if (0)
    {
      slot[me] += me + 1;
    }
  }
  printf("sum = %d\n", slot[0] + slot[1]);
  return slot[0] + slot[1] == 3 ? 0 : 1;
}
