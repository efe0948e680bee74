// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads count themselves; the second one reads what the first one wrote.
// Racy: it does not look at the number, so it could as well have been the first. That it came later in this run orders
// nothing.
// threads: 2 8
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int value = 0, seen = 0, arrived = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      value = 1; // RACE(1)
#pragma omp atomic seq_cst
      arrived++;
    } else {
      usleep(50000);
#pragma omp atomic seq_cst
      arrived++;
      seen = value; // RACE(1)
    }
  }
  printf("%d %d\n", arrived, seen <= 1);
  return 0;
}
