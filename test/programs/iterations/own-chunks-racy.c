// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads keep in variables of their own, from one chunk of a dynamic loop, or one single construct, to the next, what
// they executed before. Racy: sums and extremes tell no thread where to write, and all write in one place.
// compilers: clang
// builds: driver
#include <stdio.h>

enum { n = 64 };
static int a[n], last, greatest_seen, step_seen, all, most_of_all;

static void sums(void) {
#pragma omp parallel
  {
    int sum = 0;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) {
      sum += a[i];
      last = i; // RACE(1,1)
    }
#pragma omp atomic
    all += sum;
  }
}

static void extremes(void) {
#pragma omp parallel
  {
    int most = 0;
#pragma omp for schedule(guided)
    for (int i = 0; i < n; i++) {
      const int value = a[i];
      if (value > most) most = value;
      greatest_seen = value; // RACE(2,2)
    }
#pragma omp critical
    if (most > most_of_all) most_of_all = most;
  }
}

static void counted_singles(void) {
#pragma omp parallel
  {
    int count = 0;
    for (int step = 0; step < n; step++) {
#pragma omp single nowait
      {
        count++;
        step_seen = step; // RACE(3,3)
      }
    }
    printf("%d\n", count);
  }
}

int main(void) {
  for (int i = 0; i < n; i++) a[i] = i;
  sums();
  extremes();
  counted_singles();
  printf("%d %d %d\n", all, most_of_all, last + greatest_seen + step_seen >= 0);
  return 0;
}
