// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chunks of four iterations.
// Racy: each iteration uses what one eight chunks before has written; the same thread has both.
// compilers: clang
// builds: driver
#include <stdio.h>

enum { n = 128, chunk = 4, distance = 8 * chunk };
static int a[n], before[n];

int main(void) {
  for (int i = 0; i < n; i++) a[i] = before[i] = i;
#pragma omp parallel for schedule(static, chunk)
  for (int i = distance; i < n; i++) a[i] += a[i - distance]; // RACE(1,1)
  printf("%d %d\n", a[0], before[0]);
  return a[0];
}
