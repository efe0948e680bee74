// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task creates a task for a variable of its own.
// Racy: the outer task ends without waiting for the inner one, and its variable with it.
// compilers: clang
// levels: native graph
#include <stdio.h>

static int got;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(got)
    {
      int local = 7;
#pragma omp task shared(local, got) // FINDING(missing-taskwait)
      got = local;
    }
  }
  printf("got = %s\n", got == 7 ? "7" : "something else");
  return 0;
}
