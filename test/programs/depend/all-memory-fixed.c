// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task in the middle touches everything.
// Fixed: omp_all_memory orders it after and before all siblings with dependences.
// compilers: clang
#include <stdio.h>

static int x;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 1;
#pragma omp task depend(out : omp_all_memory)
    x += 5;
#pragma omp task depend(in : x) shared(got)
    got = x;
  }
  printf("got = %d\n", got);
  return got == 6 ? 0 : 1;
}
