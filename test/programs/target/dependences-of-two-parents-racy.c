// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Target tasks that count, in the order of their depend clauses.
// Bug: each thread of the team creates them, and depend clauses order siblings only.
// threads: 2 8
// compilers: clang
#include <stdio.h>

int main(void) {
  int count = 0;
#pragma omp parallel
  {
    int mine = 0;
    mine++;
#pragma omp target nowait map(tofrom : count) depend(inout : count) // FINDING(non-sibling-dependence)
    count++;                                                        // RACE(1,1)
    mine++;
  }
  printf("%d\n", count > 0);
  return 0;
}
