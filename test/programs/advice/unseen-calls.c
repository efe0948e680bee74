// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether anything is needed here cannot be known: a function that nobody sees gets what the tasks use.
// threads: 2 8
// expect: silent
// environment: FLETCHER_OPTIONS=advise=1
#include <stdio.h>
#include <stdlib.h>

static int numbers[4][64];

static int by_value(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

int main(void) {
  for (int i = 0; i < 256; i++) numbers[i / 64][i % 64] = i * 37 % 101;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(i)
      qsort(numbers[i], 64, sizeof(int), by_value);
    }
#pragma omp taskwait
    for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(i)
      qsort(numbers[i], 64, sizeof(int), by_value);
    }
  }
  printf("%d\n", numbers[0][0]);
}
