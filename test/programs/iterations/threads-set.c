// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program sets the number of threads.
// expect: silent
#include <omp.h>
#include <stdio.h>

enum { n = 64 };
static int a[n];

int main(void) {
  for (int i = 0; i < n; i++) a[i] = 1;
  omp_set_num_threads(1);
#pragma omp parallel for
  for (int i = 1; i < n; i++) a[i] += a[i - 1];
  printf("%d\n", a[n - 1]);
  return a[n - 1] == n ? 0 : 1;
}
