// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of a sparse matrix without structure (compressed rows, about 16 random columns in each) with a vector, as in
// PageRank: the reads of the vector are scattered.
#include "kernel.h"

enum { n = 200000, row_length = 16 };

int main(int argc, char** argv) {
  long products = scaled(250, argc, argv);
  int* column = malloc(sizeof(int) * n * row_length);
  double* value = malloc(sizeof(double) * n * row_length);
  double* x = malloc(sizeof(double) * n);
  double* y = malloc(sizeof(double) * n);
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    unsigned long long state = (unsigned)i;
    for (int k = 0; k < row_length; k++) {
      column[i * row_length + k] = (int)(random_bits(&state) % n);
      value[i * row_length + k] = random_unit(&state) / row_length;
    }
    x[i] = 1.0;
  }
  for (long p = 0; p < products; p++) {
    double norm = 0.0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 2000) reduction(+ : norm)
      for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = i * row_length; k < (i + 1) * row_length; k++) sum += value[k] * x[column[k]];
        y[i] = sum;
        norm += sum;
      }
#pragma omp for
      for (int i = 0; i < n; i++) x[i] = y[i] * n / norm;
    }
  }
  double sum = 0.0;
  for (int i = 0; i < n; i += 1000) sum += x[i] * (i + 1);
  free(column);
  free(value);
  free(x);
  free(y);
  return checksum(sum);
}
