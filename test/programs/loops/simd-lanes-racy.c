// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that are said to be fit for vectors, although an iteration needs what an earlier one did. Each lane executes a
// statement together with the others, so what comes first in the loop's order comes too late.
// compilers: clang
// builds: driver
#include <stdio.h>

enum { n = 64 };
static double a[n], total;
static int count[n + 3];

static void running_sum(const double* from, double* to) {
#pragma omp simd
  for (int i = 1; i < n; i++) to[i] = to[i - 1] + from[i]; // RACE(1,1)
}

static void sum_up(const double* from) {
#pragma omp simd
  for (int i = 0; i < n; i++) total += from[i]; // RACE(2,2)
}

static void lines(int* to) {
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const int before = to[i]; // RACE(3)
    to[i + 3] = before + i;   // RACE(3)
  }
}

static void marks(int* to) {
#pragma omp simd
  for (int i = n - 1; i > 0; i--) {
    to[i] = i;      // RACE(4)
    to[i - 1] = -i; // RACE(4)
  }
}

static void late_reader(double* to, const double* from) {
#pragma omp parallel for simd schedule(static, n)
  for (int i = 0; i < n - 1; i++) {
    to[i] = from[i];   // RACE(5)
    total = to[i + 1]; // RACE(5)
  }
}

int main(void) {
  double values[n], sums[n] = {0};
  for (int i = 0; i < n; i++) values[i] = i;
  running_sum(values, sums);
  sum_up(sums);
  lines(count);
  marks(count);
  late_reader(a, values);
  printf("%d %d %d %d\n", sums[n - 1] == 2016, total >= 0, count[n] != 0, a[0] == 0);
  return 0;
}
