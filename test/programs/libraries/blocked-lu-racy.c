// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An LU factorisation by blocks of columns, with pivots: an update does not name the panel that it reads.
// needs: /usr/lib/x86_64-linux-gnu/libopenblas.so
// flags: -lopenblas -Wno-unused-command-line-argument
// environment: OPENBLAS_NUM_THREADS=1
// threads: 1 4
// levels: native graph
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>

void dgetrf_(const int*, const int*, double*, const int*, int*, int*);
void dlaswp_(const int*, double*, const int*, const int*, const int*, const int*, const int*);

enum { n = 48, width = 16, blocks = n / width };

int main(void) {
  double* a = malloc(sizeof(double) * n * n);
  int* pivots = malloc(sizeof(int) * n);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) a[j * n + i] = (i * 7 + j * 5) % 11 + (i == j ? 1 : 0);
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < blocks; k++) {
    const int from = k * width;
    double* panel = a + from * n + from;
#pragma omp task depend(inout : a[from * n])
    {
      const int rows = n - from, columns = width, ld = n;
      int info;
      dgetrf_(&rows, &columns, panel, &ld, pivots + from, &info); // RACE(1*)
    }
    for (int j = k + 1; j < blocks; j++) {
      double* column = a + j * width * n + from;
#pragma omp task depend(inout : a[j * width * n])
      {
        const int first = 1, last = width, ld = n, columns = width, by = 1, rest = n - from - width;
        dlaswp_(&columns, column, &ld, &first, &last, pivots + from, &by);         // RACE(1*)
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, // RACE(1*)
                    width, width, 1, panel, n, column, n);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, // RACE(1*)
                    rest, width, width, -1, panel + width, n, column, n, 1, column + width, n);
      }
    }
  }
  printf("%d\n", a[0] != 0);
  return 0;
}
