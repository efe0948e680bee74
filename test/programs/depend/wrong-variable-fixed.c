// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task computes, another one prints.
// Fixed: the printing one waits for what the other writes; that it names a variable as well that was there before is in
// order.
// levels: native graph
#include <stdio.h>

static int result, results;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : result)
    result = 42;
#pragma omp task depend(in : result, results) shared(got)
    got = result + results;
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
