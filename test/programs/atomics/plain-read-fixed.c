// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread sets a flag atomically, the others look at it.
// Fixed: they read it atomically.
#include <omp.h>
#include <stdio.h>

static int flag, seen[256];

int main(void) {
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    if (me == 0) {
#pragma omp atomic write
      flag = 1;
    } else {
      int now;
#pragma omp atomic read
      now = flag;
      seen[me] = now;
    }
  }
  printf("flag = %d\n", flag);
  return flag == 1 && (seen[1] == 0 || seen[1] == 1) ? 0 : 1;
}
