// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An undeferred consumer.
// Racy: it runs at once, without a dependence on the producer.
#include <stdio.h>

static int x;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 42; // RACE(1)
#pragma omp task if (0)
    got = x; // RACE(1)
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
