// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks in a chain over a local variable.
// Fixed: the function waits for both.
// levels: native graph
#include <stdio.h>

static int got;

__attribute__((noinline)) static void chain(int value) {
  int token = value;
#pragma omp task depend(out : token) shared(got)
  got = 1;
#pragma omp task depend(inout : token) shared(got)
  got += 1;
#pragma omp taskwait
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
