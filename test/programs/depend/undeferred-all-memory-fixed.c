// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The creator goes on with what a task wrote.
// Fixed: it names omp_all_memory, and so waits for all siblings that have a depend clause.
// compilers: clang
#include <stdio.h>

static int x, named, other;

int main(void) {
  volatile int later = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inout : other) if (later)
    other = 1;
#pragma omp task depend(in : named)
    x = 1;
#pragma omp task depend(out : omp_all_memory) if (later)
    other = 2;
    x++;
  }
  printf("other = %d, named = %d\n", other, named);
  return other == 2 && x > 0 ? 0 : 1;
}
