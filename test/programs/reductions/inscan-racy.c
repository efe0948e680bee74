// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running sums of an array.
// Racy: the sum is shared in place of a scan.
// threads: 2 8
#include <stdio.h>

enum { n = 400 };
static int a[n], sums[n];

int main(void) {
  int sum = 0;
  for (int i = 0; i < n; i++) a[i] = 1;
#pragma omp parallel for shared(sum) // RACE(1*)
  for (int i = 0; i < n; i++) {      // RACE(1*)
    sum += a[i];                     // RACE(1*)
    sums[i] = sum;                   // RACE(1*)
  }
  printf("sum = %d, last = %d\n", sum, sums[n - 1]);
  return sum == n && sums[n - 1] == n ? 0 : 1;
}
