// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks update a total in loops, in critical constructs; each has an array of its own.
// Both of one name.
#include <stdio.h>

enum { n = 30 };
static int a[2][n], total;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    for (int i = 0; i < n; i++) {
      a[0][i] = i;
#pragma omp critical(first)
      total += a[0][i];
    }
#pragma omp task
    for (int i = 0; i < n; i++) {
      a[1][i] = i;
#pragma omp critical(first)
      total += a[1][i];
    }
  }
  printf("total = %d\n", total);
  return total == n * (n - 1) ? 0 : 1;
}
