// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks fill a block, copy it, and compare it, each by one call of libc with a size that the compiler knows.
// Racy: nothing orders the tasks.
#include <stdio.h>
#include <string.h>

static char block[64], copy[64];

int main(void) {
  int same = 0;
#pragma omp parallel shared(same)
#pragma omp single
  {
#pragma omp task
    memset(block, 'x', 48); // RACE(1)
#pragma omp task
    memcpy(copy, block, 40); // RACE(1) RACE(2)
#pragma omp task shared(same)
    same = memcmp(copy, "xxxxxxxx", 8) == 0; // RACE(2)
  }
  printf("%s\n", same ? "same" : "different");
  return 0;
}
