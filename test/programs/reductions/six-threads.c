// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions by six threads. Above four, the runtime combines along a tree, reading other threads' copies.
// Silent: combining is the runtime's business.
// expect: silent
#include <stdio.h>

enum { n = 600 };
static double a[n];

int main(void) {
  double sum = 0.0, most = -1.0;
  for (int i = 0; i < n; i++) a[i] = 0.5 * i;
#pragma omp parallel num_threads(6)
  {
#pragma omp for reduction(+ : sum) reduction(max : most)
    for (int i = 0; i < n; i++) {
      sum += a[i];
      most = a[i] > most ? a[i] : most;
    }
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += 1.0;
  }
  printf("sum = %g, most = %g\n", sum, most);
  return sum == 0.25 * n * (n - 1) + n && most == 0.5 * (n - 1) ? 0 : 1;
}
