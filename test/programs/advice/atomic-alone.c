// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each iteration has a counter of its own, on which the atomic update is not needed; on the sum of all it is.
// threads: 2 8
// builds: driver
// environment: FLETCHER_OPTIONS=advise=1
#include <stdio.h>

enum { size = 64 };
static int counters[size];
static int sum;

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < size; i++) {
#pragma omp atomic
    counters[i] += i; // FINDING(not-needed)
#pragma omp atomic
    sum += i;
  }
  printf("%d %d\n", sum, counters[1]);
}
