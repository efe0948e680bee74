// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conjugate gradients for the five-point Laplacian of a square, stored as a sparse matrix in compressed rows: a matrix
// product, two dot products and three vector updates in each iteration, in one parallel region.
#include "kernel.h"

enum { side = 256, n = side * side };

static int row_begin[n + 1];
static int column[5 * n];
static double value[5 * n];
static double x[n], r[n], p[n], q[n];

static void add(int* at, int c, double v) {
  column[*at] = c;
  value[(*at)++] = v;
}

static void build(void) {
  int at = 0;
  for (int i = 0; i < side; i++)
    for (int j = 0; j < side; j++) {
      int row = i * side + j;
      row_begin[row] = at;
      if (i > 0) add(&at, row - side, -1.0);
      if (j > 0) add(&at, row - 1, -1.0);
      add(&at, row, 4.0);
      if (j < side - 1) add(&at, row + 1, -1.0);
      if (i < side - 1) add(&at, row + side, -1.0);
    }
  row_begin[n] = at;
}

int main(int argc, char** argv) {
  long restarts = scaled(60, argc, argv);
  const int iterations = 60;
  double rr = 0.0, pq = 0.0, rr_next = 0.0, total = 0.0;
  build();
#pragma omp parallel
  for (long restart = 0; restart < restarts; restart++) {
#pragma omp for reduction(+ : rr)
    for (int i = 0; i < n; i++) {
      x[i] = 0.0;
      r[i] = p[i] = 1.0 + (i + restart) % 7;
      rr += r[i] * r[i];
    }
    for (int iteration = 0; iteration < iterations; iteration++) {
#pragma omp for reduction(+ : pq)
      for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = row_begin[i]; k < row_begin[i + 1]; k++) sum += value[k] * p[column[k]];
        q[i] = sum;
        pq += p[i] * sum;
      }
      double alpha = rr / pq;
#pragma omp for reduction(+ : rr_next)
      for (int i = 0; i < n; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * q[i];
        rr_next += r[i] * r[i];
      }
      double beta = rr_next / rr;
#pragma omp for
      for (int i = 0; i < n; i++) p[i] = r[i] + beta * p[i];
#pragma omp single
      {
        rr = rr_next;
        rr_next = pq = 0.0;
      }
    }
#pragma omp single
    {
      for (int i = 0; i < n; i += 97) total += x[i];
      rr = 0.0;
    }
  }
  return checksum(total);
}
