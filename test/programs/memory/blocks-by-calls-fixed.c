// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks fill a block, copy it, and compare it, each by one call of libc with a size that the compiler knows.
// Fixed: dependences order the tasks.
#include <stdio.h>
#include <string.h>

static char block[64], copy[64];

int main(void) {
  int same = 0;
#pragma omp parallel shared(same)
#pragma omp single
  {
#pragma omp task depend(out : block)
    memset(block, 'x', 48);
#pragma omp task depend(in : block) depend(out : copy)
    memcpy(copy, block, 40);
#pragma omp task depend(in : copy) shared(same)
    same = memcmp(copy, "xxxxxxxx", 8) == 0;
  }
  printf("%s\n", same ? "same" : "different");
  return 0;
}
