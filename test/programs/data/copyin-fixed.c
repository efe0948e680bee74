// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread starts from the primary thread's value of a threadprivate variable.
// Fixed: copyin copies it when the region begins.
#include <omp.h>
#include <stdio.h>

static int level = 1;
#pragma omp threadprivate(level)
static int got[256];

int main(void) {
  level = 5;
#pragma omp parallel copyin(level)
  {
    int me = omp_get_thread_num();
    level += me + 1;
    got[me] = level;
  }
  printf("got = %d\n", got[0]);
  return got[0] == 6 && got[omp_get_max_threads() - 1] >= 5 ? 0 : 1;
}
