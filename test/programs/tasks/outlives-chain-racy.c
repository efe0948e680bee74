// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks in a chain over a local variable.
// Racy: the function waits for neither; the chain orders the tasks, not the function's return.
// levels: native graph
#include <stdio.h>

static int got;

__attribute__((noinline)) static void chain(int value) {
  int token = value;                             // FINDING(missing-taskwait,1)
#pragma omp task depend(out : token) shared(got) // FINDING(missing-taskwait,1) NAMES(token)
  got = 1;
#pragma omp task depend(in : token) shared(got) // FINDING(missing-taskwait,1)
  got += 1;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    chain(1);
#pragma omp taskwait
  }
  printf("got = %d\n", got);
  return got == 2 ? 0 : 1;
}
