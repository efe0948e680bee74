// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A producer and a consumer.
// Racy: the consumer declares nothing.
#include <stdio.h>

int main(void) {
  int x = 0, got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 42; // RACE(1)
#pragma omp task
    got = x; // RACE(1)
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
