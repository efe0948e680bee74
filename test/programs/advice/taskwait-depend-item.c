// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No task uses the variable of the function that returns, but their depend clauses name it: the taskwait is needed.
// threads: 2 8
// expect: silent
// environment: FLETCHER_OPTIONS=advise=1
#include <stdio.h>

static int got;

static void chain(void) {
  int token = 0;
#pragma omp task depend(out : token)
  got = 1;
#pragma omp task depend(inout : token)
  got += 1;
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    chain();
  }
  printf("%d\n", got);
}
