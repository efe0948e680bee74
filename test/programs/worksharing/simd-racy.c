// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel for simd: vector code, with the width that the instrumented compilers use.
// Racy: the shift by one crosses the boundaries of the threads' chunks.
// threads: 2 8
#include <stdio.h>

enum { n = 1024 };
static float a[n + 1];

int main(void) {
  for (int i = 0; i <= n; i++) a[i] = (float)i;
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < n; i++) a[i] = a[i + 1] * 2.0f; // RACE(1,1)
  printf("first = %g\n", a[0]);
  return a[0] == 2.0f ? 0 : 1;
}
