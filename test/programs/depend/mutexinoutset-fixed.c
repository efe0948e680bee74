// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks add to a total in any order, but not at the same time.
// Fixed: the same item makes them mutually exclusive; the reader comes after both.
#include <stdio.h>

int main(void) {
  int total = 0, other = 0, got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(mutexinoutset : total)
    total += 1;
#pragma omp task depend(mutexinoutset : total)
    total += 2;
#pragma omp task depend(in : total) depend(in : other)
    got = total;
  }
  printf("got = %d, other = %d\n", got, other);
  return got == 3 ? 0 : 1;
}
