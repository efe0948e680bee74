// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector loop of several threads, with a part in order.
// Fixed: `ordered threads simd`, in a loop with an ordered clause (of which clang 19 drops `threads`).
// compilers: gcc
#include <stdio.h>

enum { n = 64 };
static int a[n], sum;

int main(void) {
#pragma omp parallel
#pragma omp for simd ordered schedule(static, 1)
  for (int i = 0; i < n; i++) {
    a[i] = i;
#pragma omp ordered threads simd
    sum += i;
  }
  printf("sum = %d\n", sum);
  return sum == n * (n - 1) / 2 ? 0 : 1;
}
