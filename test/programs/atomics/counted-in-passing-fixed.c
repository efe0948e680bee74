// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads count themselves; the second one reads what the first one wrote.
// Fixed: it looks at the number that it counted up, though by a relaxed read.
// threads: 2 8
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int value = 0, seen = 0, arrived = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      value = 1;
#pragma omp atomic seq_cst
      arrived++;
    } else {
      int all;
      usleep(50000);
#pragma omp atomic seq_cst
      arrived++;
#pragma omp atomic read relaxed
      all = arrived;
      if (all == 2) seen = value;
    }
  }
  printf("%d %d\n", arrived, seen <= 1);
  return 0;
}
