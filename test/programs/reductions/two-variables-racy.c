// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two variables of one reduction are set again before all threads have added to them. gcc combines them under the lock
// of its atomic constructs, in whatever order the threads come: that one had the lock before says nothing.
// threads: 2 8
// compilers: gcc
#include <stdio.h>

int main(void) {
  long sum = 0, count = 0;
#pragma omp parallel shared(sum, count)
  {
#pragma omp for reduction(+ : sum, count) nowait // RACE(1a)
    for (int i = 0; i < 64; i++) {
      sum += i;
      count++;
    }
#pragma omp masked
    {
      sum = 0;   // RACE(1b)
      count = 0; // RACE(1b)
    }
  }
  printf("%d\n", sum >= 0 && count >= 0);
}
