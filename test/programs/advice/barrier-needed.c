// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In the second loop each iteration uses what its neighbour set in the first: the barrier of the first loop is needed,
// whichever thread has which iteration. So is the one behind a reduction, which the runtime combines there.
// threads: 2 8
// expect: silent
// environment: FLETCHER_OPTIONS=advise=1
#include <stdio.h>

enum { size = 256 };
static int first[size], second[size];
static int sum, seen;

int main(void) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < size; i++) first[i] = i;
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < size; i++) {
      second[i] = first[size - 1 - i];
      sum += i;
    }
#pragma omp single nowait
    seen = sum;
  }
  printf("%d %d\n", seen, second[0]);
}
