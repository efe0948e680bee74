// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inner teams fill a scratch array, in chunks of which one thread may execute several.
// Racy: all outer threads have one array.
// threads: 2 4
// compilers: clang
// builds: driver
#include <stdio.h>

enum { n = 24, length = 16 };
static double results[n];

int main(void) {
  double scratch[length];
#pragma omp parallel for schedule(dynamic, 1)
  for (int k = 0; k < n; k++) {
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < length; i++) scratch[i] = k * i;       // RACE(1*)
    for (int i = 0; i < length; i++) results[k] += scratch[i]; // RACE(1*)
  }
  printf("%g\n", results[3]);
}
