// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A clause that names what no sibling writes is what a task with omp_all_memory waits for: it is not in vain.
// expect: silent
// compilers: clang
// levels: native graph
#include <stdio.h>

static int a, x;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(in : a)
    x = 1;
#pragma omp task depend(out : omp_all_memory)
    x += 5;
  }
  printf("a = %d, x = %d\n", a, x);
  return x == 6 ? 0 : 1;
}
