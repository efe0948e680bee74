// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function hands its variable to a task that is executed at once, because of its if clause, and to one of a final
// task: each has ended when the function goes on.
// expect: silent
// levels: native graph
#include <stdio.h>

static int got;

__attribute__((noinline)) static void start(int value) {
  int local = value;
#pragma omp task shared(local, got) if (0)
  got += local;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    start(1);
#pragma omp task final(1)
    start(2);
#pragma omp taskwait
  }
  printf("got = %d\n", got);
  return got == 3 ? 0 : 1;
}
