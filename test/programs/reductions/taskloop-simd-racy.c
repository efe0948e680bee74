// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskloop whose tasks are loops for vectors adds to a sum that no clause mentions.
#include <stdio.h>

enum { n = 400 };

int main(void) {
  int values[n], sum = 0;
  for (int i = 0; i < n; i++) values[i] = i * 7 % 100;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop simd shared(sum) grainsize(50) // RACE(1*) where the compiler adds in a register
  for (int i = 0; i < n; i++) sum += values[i];     // RACE(1*)
  printf("%d\n", sum);
  return 0;
}
