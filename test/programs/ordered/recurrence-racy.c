// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recurrence carried from iteration to iteration through ordered regions.
// Racy: the ordered construct is forgotten.
// threads: 2 8
#include <stdio.h>

enum { n = 50 };
static unsigned state = 1;

__attribute__((noinline)) static void advance(unsigned i) {
  state = state * 31u + i; // RACE(1,1)
}

int main(void) {
#pragma omp parallel for ordered schedule(static, 1)
  for (unsigned i = 0; i < n; i++) {
    advance(i);
  }
  printf("state = %u\n", state);
  unsigned expected = 1;
  for (unsigned i = 0; i < n; i++) expected = expected * 31u + i;
  return state == expected ? 0 : 1;
}
