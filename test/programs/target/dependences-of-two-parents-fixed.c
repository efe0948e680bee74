// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Target tasks that count, in the order of their depend clauses.
// Fixed: one thread creates all of them.
// compilers: clang
#include <stdio.h>

int main(void) {
  int count = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 5; i++) {
#pragma omp target nowait map(tofrom : count) depend(inout : count)
      count++;
    }
  }
  printf("%d\n", count > 0);
  return 0;
}
