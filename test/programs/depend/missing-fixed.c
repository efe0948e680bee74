// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A producer and a consumer.
// Fixed: out before in.
#include <stdio.h>

int main(void) {
  int x = 0, got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 42;
#pragma omp task depend(in : x)
    got = x;
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
