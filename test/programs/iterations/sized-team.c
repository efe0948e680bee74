// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program says how large the team is: a thread's iterations are its own, whatever other teams would do.
// expect: silent
#include <stdio.h>

enum { n = 64, block = 16 };
static int a[n], sums[n / block];

static void in_order(void) {
  for (int i = 0; i < n; i++) a[i] = 1;
#pragma omp parallel for num_threads(1)
  for (int i = 1; i < n; i++) a[i] += a[i - 1];
}

static void if_false(int enough) {
#pragma omp parallel for if (enough)
  for (int i = 1; i < n; i++) a[i] += a[i - 1];
#pragma omp parallel if (enough)
  {
#pragma omp for
    for (int i = 1; i < n; i++) a[i] -= a[i - 1];
  }
}

/// One chunk for each thread.
static void chunks(void) {
#pragma omp parallel num_threads(n / block)
#pragma omp for schedule(static, block)
  for (int i = 0; i < n; i++) sums[i / block] += i;
}

static void two(void) {
  int half[2] = {0, 0};
#pragma omp parallel for schedule(static, n / 2) num_threads(2)
  for (int i = 0; i < n; i++) half[i / (n / 2)] += i;
  a[0] = half[1] > half[0];
}

int main(void) {
  in_order();
  if_false(n < 10);
  chunks();
  two();
  printf("%d %d\n", a[n - 1], sums[0]);
  return sums[0] == block * (block - 1) / 2 ? 0 : 1;
}
