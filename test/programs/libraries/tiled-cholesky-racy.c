// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tiled Cholesky factorisation over BLAS and LAPACK: a task that updates a tile does not name the second tile of the
// panel that it reads.
// needs: /usr/lib/x86_64-linux-gnu/libopenblas.so
// flags: -lopenblas -Wno-unused-command-line-argument
// environment: OPENBLAS_NUM_THREADS=1
// threads: 1 4
// levels: native graph
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void dpotrf_(const char*, const int*, double*, const int*, int*);
void dtrsm_(const char*, const char*, const char*, const char*, const int*, const int*, const double*, const double*,
            const int*, double*, const int*);
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
            const double*, const int*, const double*, double*, const int*);
void dsyrk_(const char*, const char*, const int*, const int*, const double*, const double*, const int*, const double*,
            double*, const int*);

enum { tiles = 3, side = 24 };
static double* a[tiles][tiles];

int main(void) {
  const int b = side;
  const double one = 1, minus = -1;
  for (int i = 0; i < tiles; i++)
    for (int j = 0; j <= i; j++) {
      a[i][j] = malloc(sizeof(double) * side * side);
      for (int k = 0; k < side * side; k++) a[i][j][k] = i == j && k % (side + 1) == 0 ? 2 * tiles * side : 1;
    }
  int failed = 0;
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < tiles; k++) {
#pragma omp task depend(inout : a[k][k][0]) shared(failed)
    {
      int info;
      dpotrf_("L", &b, a[k][k], &b, &info);
      if (info != 0) failed = 1;
    }
    for (int i = k + 1; i < tiles; i++) {
#pragma omp task depend(in : a[k][k][0]) depend(inout : a[i][k][0])
      dtrsm_("R", "L", "T", "N", &b, &b, &one, a[k][k], &b, a[i][k], &b); // RACE(1)
    }
    for (int i = k + 1; i < tiles; i++) {
      for (int j = k + 1; j < i; j++) {
#pragma omp task depend(in : a[i][k][0]) depend(inout : a[i][j][0])
        dgemm_("N", "T", &b, &b, &b, &minus, a[i][k], &b, a[j][k], &b, &one, a[i][j], &b); // RACE(1)
      }
#pragma omp task depend(in : a[i][k][0]) depend(inout : a[i][i][0])
      dsyrk_("L", "N", &b, &b, &minus, a[i][k], &b, &one, a[i][i], &b);
    }
  }
  // Of a matrix of ones with d more on its diagonal, the first element of the factor is known.
  const double d = sqrt(2.0 * tiles * side);
  if (failed || fabs(a[0][0][0] - d) > 1e-9) printf("wrong\n");
  return 0;
}
