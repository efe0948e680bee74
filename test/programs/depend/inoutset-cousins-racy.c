// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task fills a table by a set of children; another task's child reads it.
// Racy: the reader is not their sibling.
// compilers: clang
// levels: native graph
#include <stdio.h>

static int table[2];

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
#pragma omp task depend(inoutset : table) // FINDING(non-sibling-dependence,1)
      table[0] = 1;                       // RACE(1)
#pragma omp task depend(inoutset : table) // FINDING(non-sibling-dependence,1)
      table[1] = 2;                       // RACE(2)
    }
#pragma omp task shared(got)
    {
#pragma omp task depend(in : table) shared(got) // FINDING(non-sibling-dependence,2)
      got = table[0] +                          // RACE(1)
            table[1];                           // RACE(2)
    }
  }
  printf("got = %d\n", got);
  return got == 3 ? 0 : 1;
}
