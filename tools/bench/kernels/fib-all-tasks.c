// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fib(30) with a task for every call: what 2.7 million tasks and 1.3 million taskwaits cost.
#include "kernel.h"

static long fib(int n) {
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(int argc, char** argv) {
  // Each number less is 1/1.618 of the work.
  int n = 30;
  for (long part = scaled(1000, argc, argv); part < 1000 && n > 2; n--) part = part * 1618 / 1000;
  long result = 0;
#pragma omp parallel
#pragma omp single
  result = fib(n);
  return checksum((double)result);
}
