// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fast Fourier transforms of a square of complex numbers: rows in parallel, a transposition in blocks, rows again; then
// back.
#include "kernel.h"

#include <math.h>
#include <string.h>

enum { bits = 9, n = 1 << bits, block = 16 };
typedef struct {
  double re, im;
} complex_number;

static complex_number square[n][n], transposed[n][n], root[n / 2];

// In place, decimation in time. `sign` is -1 for the inverse transform.
static void transform(complex_number* a, double sign) {
  for (unsigned i = 1, j = 0; i < n; i++) {
    unsigned bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      complex_number swap = a[i];
      a[i] = a[j];
      a[j] = swap;
    }
  }
  for (int length = 2; length <= n; length *= 2)
    for (int start = 0; start < n; start += length)
      for (int k = 0; k < length / 2; k++) {
        complex_number w = root[k * (n / length)];
        complex_number* even = &a[start + k];
        complex_number* odd = &a[start + k + length / 2];
        double re = odd->re * w.re - sign * odd->im * w.im;
        double im = sign * odd->re * w.im + odd->im * w.re;
        odd->re = even->re - re;
        odd->im = even->im - im;
        even->re += re;
        even->im += im;
      }
}

static void rows_then_transpose(complex_number from[n][n], complex_number to[n][n], double sign) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++) transform(from[i], sign);
#pragma omp for collapse(2)
    for (int i = 0; i < n; i += block)
      for (int j = 0; j < n; j += block)
        for (int k = i; k < i + block; k++)
          for (int l = j; l < j + block; l++) to[l][k] = from[k][l];
  }
}

int main(int argc, char** argv) {
  long rounds = scaled(140, argc, argv);
  const double pi = acos(-1.0);
  for (int k = 0; k < n / 2; k++) root[k] = (complex_number){cos(2 * pi * k / n), sin(2 * pi * k / n)};
  unsigned long long state = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) square[i][j] = (complex_number){random_unit(&state), 0.0};
  for (long round = 0; round < rounds; round++) {
    rows_then_transpose(square, transposed, 1.0);
    rows_then_transpose(transposed, square, 1.0);
    rows_then_transpose(square, transposed, -1.0);
    rows_then_transpose(transposed, square, -1.0);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        square[i][j].re /= (double)n * n;
        square[i][j].im /= (double)n * n;
      }
  }
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += square[i][(i * 7) % n].re;
  return checksum(sum);
}
