// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Target constructs on a device that is the host's own processor: the rows of a matrix are summed up there.
// Racy: several threads add to the same row. Those of a small league need not do so, as each has whole rows.
// threads: 2 8
// flags: -fopenmp-targets=x86_64-pc-linux-gnu -Wl,-rpath,/usr/lib/llvm-19/lib
// needs: /usr/lib/llvm-19/bin/clang-linker-wrapper
// compilers: clang
// builds: driver
#include <stdio.h>

enum { rows = 24, columns = 10 };
static int m[rows][columns], sums[rows];

int main(void) {
#pragma omp target teams distribute parallel for collapse(2) map(to : m) map(tofrom : sums)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) sums[i] += m[i][j]; // RACE(1,1)
  printf("%d\n", sums[1]);
  return 0;
}
