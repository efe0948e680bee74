// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The creating task waits for the end of a row.
// Fixed: it names the row as the child does.
// levels: native graph
#include <stdio.h>

static int row[8];

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : row[0 : 8])
    for (int i = 0; i < 8; i++) row[i] = i;
#pragma omp taskwait depend(in : row[0 : 8])
    got = row[7];
  }
  printf("got = %d\n", got);
  return got == 7 ? 0 : 1;
}
