// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel for simd: vector code, with the width that the instrumented compilers use.
// Fixed: the shifted values go to another array.
#include <stdio.h>

enum { n = 1024 };
static float a[n + 1], b[n + 1];

int main(void) {
  for (int i = 0; i <= n; i++) a[i] = (float)i;
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < n; i++) b[i] = a[i + 1] * 2.0f;
  printf("first = %g\n", b[0]);
  return b[0] == 2.0f ? 0 : 1;
}
