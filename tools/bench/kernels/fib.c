// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibonacci numbers by tasks, serial below a cut-off: small tasks, a taskwait in each.
#include "kernel.h"

enum { cutoff = 20 };

static long fib(int n) {
  if (n < 2) return n;
  if (n < cutoff) return fib(n - 1) + fib(n - 2);
  long a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(int argc, char** argv) {
  long rounds = scaled(24, argc, argv), sum = 0;
#pragma omp parallel
#pragma omp single
  for (long r = 0; r < rounds; r++) sum += fib(33);
  return checksum((double)sum);
}
