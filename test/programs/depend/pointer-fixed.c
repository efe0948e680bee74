// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task fills a block, another reads it.
// Fixed: both name what the pointer points to.
// levels: native graph
#include <stdio.h>

static int storage[4];
static int* block = storage;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : *block)
    block[0] = 42;
#pragma omp task depend(in : *block) shared(got)
    got = block[0];
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
