// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections, of which one thread may execute all.
// Racy: the first two write the same variable.
// threads: 2 8
// compilers: clang
// builds: driver
#include <stdio.h>

static int x, y, z;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp sections
  {
#pragma omp section
    x = 1; // RACE(1)
#pragma omp section
    x = 2; // RACE(1)
#pragma omp section
    z = 3;
  }
  printf("%d\n", x + y + z);
  return 0;
}
