// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dynamic loop fills an array, then every thread sums all of it.
// Racy: nowait; whoever filled an element, another thread reads it.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

enum { n = 100 };
static int a[n], sums[256];

int main(void) {
#pragma omp parallel
  {
    int sum = 0;
#pragma omp for schedule(dynamic, 4) nowait
    for (int i = 0; i < n; i++) a[i] = i;    // RACE(1)
    for (int i = 0; i < n; i++) sum += a[i]; // RACE(1)
    sums[omp_get_thread_num()] = sum;
  }
  printf("sum = %d\n", sums[0]);
  return sums[0] == n * (n - 1) / 2 ? 0 : 1;
}
