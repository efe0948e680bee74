// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The creating task waits for the end of a row.
// Racy: the section that it names is the second half of what the child names.
// compilers: clang
// levels: native graph
#include <stdio.h>

static int row[8];

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : row[0 : 8])    // FINDING(unmatched-dependence,1)
    for (int i = 0; i < 8; i++) row[i] = i;  // RACE(1)
#pragma omp taskwait depend(in : row[4 : 4]) // FINDING(unmatched-dependence,1)
    got = row[7];                            // RACE(1)
  }
  printf("got = %d\n", got);
  return got == 7 ? 0 : 1;
}
