// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function creates a task that names one of the function's own variables.
// Racy: the function returns without waiting; the variable is gone when the task may use it.
// levels: native graph
#include <stdio.h>

static int got;

__attribute__((noinline)) static void start(int value) {
  int local = value;
#pragma omp task depend(in : local) shared(local) // FINDING(missing-taskwait)
  got = local;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    start(1);
#pragma omp taskwait
  }
  printf("got = %s\n", got == 1 ? "1" : "something else");
  return 0;
}
