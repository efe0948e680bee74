// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks add to a total in any order, but not at the same time.
// Racy: their mutexinoutset items differ.
#include <stdio.h>

int main(void) {
  int total = 0, other = 0, got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(mutexinoutset : total)
    total += 1; // RACE(1)
#pragma omp task depend(mutexinoutset : other) shared(total)
    total += 2; // RACE(1)
#pragma omp task depend(in : total) depend(in : other)
    got = total;
  }
  printf("got = %d, other = %d\n", got, other);
  return got == 3 ? 0 : 1;
}
