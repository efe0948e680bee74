// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two loops use different arrays, so the barrier between them is not needed; the one before the sum is.
// threads: 2 8
// compilers: clang
// builds: driver
// environment: FLETCHER_OPTIONS=advise=1
#include <stdio.h>

enum { size = 256 };
static int first[size], second[size];
static int result;

int main(void) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < size; i++) first[i] = i;
#pragma omp barrier // FINDING(not-needed)
#pragma omp for nowait
    for (int i = 0; i < size; i++) second[i] = 2 * i;
#pragma omp barrier
#pragma omp single nowait
    for (int i = 0; i < size; i++) result += first[i] + second[i];
  }
  printf("%d\n", result);
}
