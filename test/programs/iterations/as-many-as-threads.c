// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whoever asks how many threads there are may count on which of them has which iterations.
// expect: silent
#include <omp.h>
#include <stdio.h>

enum { n = 240, most = 64 };
static int sums[most], blocks[most];

int main(void) {
  int threads = 1;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
#pragma omp parallel
#pragma omp for schedule(static, 1)
  for (int i = 0; i < n; i++) sums[i % threads] += i;
  const int block = n / threads;
#pragma omp parallel
#pragma omp for schedule(static)
  for (int i = 0; i < block * threads; i++) blocks[i / block] += i;
  int sum = 0;
  for (int i = 0; i < threads; i++) sum += sums[i];
  printf("%d\n", sum);
  return sum == n * (n - 1) / 2 ? 0 : 1;
}
