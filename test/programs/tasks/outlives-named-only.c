// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks name a block's variable in their depend clauses, and have copies of it: it is firstprivate, as it is private in
// the region around them. The block ends before the tasks do.
// Only the variable's address matters, to order them.
// expect: silent
// levels: native graph
#include <stdio.h>

int main(void) {
  int last = 0;
#pragma omp parallel
#pragma omp single
  {
    int step = 1;
#pragma omp task depend(out : step)
    step += 1;
#pragma omp task depend(in : step) shared(last)
    last = step;
  }
  printf("last = %d\n", last);
  return last == 1 ? 0 : 1;
}
