// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task fills a table by a set of children; another task's child reads it.
// Fixed: one task creates them all.
// compilers: clang
// levels: native graph
#include <stdio.h>

static int table[2];

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(got)
    {
#pragma omp task depend(inoutset : table)
      table[0] = 1;
#pragma omp task depend(inoutset : table)
      table[1] = 2;
#pragma omp task depend(in : table) shared(got)
      got = table[0] + table[1];
#pragma omp taskwait
    }
  }
  printf("got = %d\n", got);
  return got == 3 ? 0 : 1;
}
