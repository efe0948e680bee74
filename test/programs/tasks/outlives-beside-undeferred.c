// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// While a task uses a local variable by reference, its creator executes another one by itself, because of its if
// clause, with a dependence and without; then it waits.
// expect: silent
// levels: native graph
#include <stdio.h>

static int done;

__attribute__((noinline)) static int start(int value) {
  int ordered = value, free = value;
#pragma omp task shared(ordered) depend(inout : ordered)
  ordered++;
#pragma omp task shared(free)
  free--;
#pragma omp task shared(ordered, done) depend(in : ordered) if (0)
  done += ordered;
#pragma omp task shared(done) if (0)
  done += 10;
#pragma omp taskwait
  return ordered + free;
}

int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  sum = start(1);
  printf("%d %d\n", sum, done);
  return sum == 2 && done == 12 ? 0 : 1;
}
