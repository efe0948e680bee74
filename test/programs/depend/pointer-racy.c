// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task fills a block, another reads it.
// Racy: the reader names the pointer, the writer what it points to.
// levels: native graph
#include <stdio.h>

static int storage[4];
static int* block = storage;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : *block)           // FINDING(unmatched-dependence,1)
    block[0] = 42;                              // RACE(1)
#pragma omp task depend(in : block) shared(got) // FINDING(unmatched-dependence,1)
    got = block[0];                             // RACE(1)
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
