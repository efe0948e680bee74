// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Product of two dense matrices in blocks that fit a cache, distributed over the threads by blocks of the result.
#include "kernel.h"

enum { n = 512, block = 64 };

static double a[n][n], b[n][n], c[n][n];

static void multiply_block(int i0, int j0, int k0) {
  for (int i = i0; i < i0 + block; i++)
    for (int k = k0; k < k0 + block; k++)
      for (int j = j0; j < j0 + block; j++) c[i][j] += a[i][k] * b[k][j];
}

int main(int argc, char** argv) {
  long products = scaled(60, argc, argv);
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        a[i][j] = (i + j) % 5;
        b[i][j] = (i * j) % 7;
        c[i][j] = 0.0;
      }
    for (long p = 0; p < products; p++) {
#pragma omp for collapse(2)
      for (int i = 0; i < n; i += block)
        for (int j = 0; j < n; j += block)
          for (int k = 0; k < n; k += block) multiply_block(i, j, k);
    }
  }
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += c[i][(i * 3) % n];
  return checksum(sum);
}
