// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The textbook recursion, results in the callers' frames.
// Silent: each level waits for its two tasks before it reads and before its frame ends.
// expect: silent
#include <stdio.h>

static int fibonacci(int n) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a) firstprivate(n)
  a = fibonacci(n - 1);
#pragma omp task shared(b) firstprivate(n)
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void) {
  int result = 0;
#pragma omp parallel
#pragma omp single
  result = fibonacci(15);
  printf("fibonacci(15) = %d\n", result);
  return result == 610 ? 0 : 1;
}
