// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduction in a loop; every thread uses the sum afterwards.
// Racy: with nowait the sum is not complete before the next barrier (OpenMP 5.1, 2.21.5.4).
// threads: 2 8
#include <omp.h>
#include <stdio.h>

enum { n = 1000 };
static int a[n], got[256];

int main(void) {
  int sum = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp parallel
  {
#pragma omp for schedule(static) reduction(+ : sum) nowait // RACE(1) ALSO(combine)
    for (int i = 0; i < n; i++) sum += a[i];
    got[omp_get_thread_num()] = sum; // RACE(1)
  }
  printf("sum = %d\n", sum);
  return sum == n * (n - 1) / 2 && got[0] <= sum ? 0 : 1;
}
