// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread sets a flag atomically, the others look at it.
// Racy: they read it without atomic.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int flag, seen[256];

int main(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    if (me == 0) {
#pragma omp atomic write
      flag = 1; // RACE(1)
    } else {
      int now;
      now = flag; // RACE(1)
      seen[me] = now;
    }
  }
  printf("flag = %d\n", flag);
  return flag == 1 && (seen[1] == 0 || seen[1] == 1) ? 0 : 1;
}
