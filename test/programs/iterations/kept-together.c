// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations that need each other are in one chunk, or in one iteration of the loops that are shared.
// expect: silent
#include <stdio.h>

enum { n = 240, block = 8 };
static int a[n], b[n][block], sums[n / block];

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static, block)
    for (int i = 0; i < n; i++) {
      a[i] = i;
      if (i % block != 0) a[i] += a[i - 1];
      sums[i / block] += 1;
    }
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++)
      for (int k = 1; k < block; k++) b[i][k] = b[i][k - 1] + 1;
#pragma omp for schedule(static, 2 * block)
    for (int i = 0; i < n; i++) sums[i / block] += 1;
#pragma omp for schedule(static, 4) collapse(2)
    for (int i = 0; i < n / 4; i++)
      for (int k = 0; k < 4; k++)
        if (i < n / block) sums[i] += b[i][k];
  }
  printf("%d %d\n", a[block - 1], sums[0]);
  return b[n - 1][block - 1] == block - 1 ? 0 : 1;
}
