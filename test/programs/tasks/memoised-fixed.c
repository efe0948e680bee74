// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks compute Fibonacci numbers and remember them in a table.
// Fixed: its elements are read and written atomically.
#include <stdio.h>

static long memo[30];
static long fib(int n) {
  long a, b, r;
  if (n < 2) return n;
#pragma omp atomic read
  r = memo[n];
  if (r) return r;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  r = a + b;
#pragma omp atomic write
  memo[n] = r;
  return r;
}

int main(void) {
  long r;
#pragma omp parallel shared(r)
#pragma omp single
  r = fib(12);
  printf("%ld\n", r);
  return 0;
}
