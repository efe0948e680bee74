// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that are fit for vectors: each lane has copies of its own, what depends on another iteration stands behind what
// it needs, is combined by a reduction or a scan, or in a region that is ordered; and what is not fit is not said to
// be.
// compilers: clang
#include <stdio.h>

enum { n = 64 };
static double a[n], total;
static int count[n + 3];

static void running_sum(const double* from, double* to) {
  double sum = 0;
#pragma omp simd reduction(inscan, + : sum)
  for (int i = 0; i < n; i++) {
    sum += from[i];
#pragma omp scan inclusive(sum)
    to[i] = sum;
  }
}

static void sum_up(const double* from) {
#pragma omp simd reduction(+ : total)
  for (int i = 0; i < n; i++) total += from[i];
}

static void lines(int* to) {
#pragma omp simd safelen(2)
  for (int i = 0; i < n; i++) {
    const int before = to[i];
    to[i + 3] = before + i;
  }
}

static void marks(int* to) {
  for (int i = n - 1; i > 0; i--) {
    to[i] = i;
    to[i - 1] = -i;
  }
}

static void early_reader(double* to, const double* from) {
  double last = 0;
#pragma omp parallel for simd schedule(static, n) lastprivate(last)
  for (int i = 0; i < n - 1; i++) {
    last = to[i + 1];
    to[i] = from[i] + last;
  }
  total = last;
}

static void forward(int* to) {
#pragma omp simd
  for (int i = 1; i < n; i++) {
    to[i] = i;
    count[i + 1] = to[i - 1];
  }
}

static void own_copies(double* to) {
  double copy[4];
  int last = 0;
#pragma omp simd private(copy) lastprivate(last)
  for (int i = 0; i < n; i++) {
    double inner[4];
    for (int j = 0; j < 4; j++) inner[j] = i;
    copy[0] = inner[3];
    copy[1] = copy[0] + 1;
    last = i;
    to[i] = copy[1] + last;
  }
  total += last;
}

static void few(double* to, int from, int until) {
#pragma omp simd
  for (int i = from; i < until; i++) to[i + 8] = to[i] + 1;
}

static void in_order(int* to) {
#pragma omp simd
  for (int i = 1; i < n; i++) {
    to[i] = i;
#pragma omp ordered simd
    to[0] += to[i];
  }
}

int main(void) {
  double values[n], sums[n] = {0};
  int other[n];
  for (int i = 0; i < n; i++) other[i] = 0, values[i] = i;
  running_sum(values, sums);
  sum_up(sums);
  lines(count);
  marks(count);
  early_reader(a, values);
  forward(other);
  own_copies(a);
  few(sums, 0, 8);
  few(sums, 8, 16);
  in_order(other);
  printf("%d %d %d %d\n", sums[n - 1] == 2016, total > 0, count[n] != 0, other[0] == 2016);
  return 0;
}
