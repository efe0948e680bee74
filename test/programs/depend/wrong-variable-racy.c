// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task computes, another one prints.
// Racy: the printing one waits for a variable that no task writes.
// levels: native graph
#include <stdio.h>

static int result, results;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : result)
    result = 42;                                  // RACE(1)
#pragma omp task depend(in : results) shared(got) // FINDING(unmatched-dependence)
    got = result + results;                       // RACE(1)
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
