// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tiled Cholesky factorisation over BLAS and LAPACK. The argument says which of its dependences is left out; 0: none.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

void dpotrf_(const char*, const int*, double*, const int*, int*);
void dtrsm_(const char*, const char*, const char*, const char*, const int*, const int*, const double*, const double*,
            const int*, double*, const int*);
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
            const double*, const int*, const double*, double*, const int*);
void dsyrk_(const char*, const char*, const int*, const int*, const double*, const double*, const int*, const double*,
            double*, const int*);

enum { tiles = 3, side = 16 };
static double* a[tiles][tiles];
static int left_out;

/// What a clause names: the tile, or what nobody else names.
static double* named(int dependence, double* tile) { return dependence == left_out ? malloc(sizeof(double)) : tile; }

int main(int count, char** arguments) {
  const int b = side;
  const double one = 1, minus = -1;
  left_out = count > 1 ? atoi(arguments[1]) : 0;
  for (int i = 0; i < tiles; i++)
    for (int j = 0; j <= i; j++) {
      a[i][j] = malloc(sizeof(double) * side * side);
      for (int k = 0; k < side * side; k++) a[i][j][k] = i == j && k % (side + 1) == 0 ? 2 * tiles * side : 1;
    }
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < tiles; k++) {
#pragma omp task depend(inout : *named(1, a[k][k]))
    {
      int info;
      dpotrf_("L", &b, a[k][k], &b, &info);
    }
    for (int i = k + 1; i < tiles; i++) {
#pragma omp task depend(in : *named(2, a[k][k])) depend(inout : *named(3, a[i][k]))
      dtrsm_("R", "L", "T", "N", &b, &b, &one, a[k][k], &b, a[i][k], &b);
    }
    for (int i = k + 1; i < tiles; i++) {
      for (int j = k + 1; j < i; j++) {
#pragma omp task depend(in : *named(4, a[i][k])) depend(in : *named(5, a[j][k])) depend(inout : *named(6, a[i][j]))
        dgemm_("N", "T", &b, &b, &b, &minus, a[i][k], &b, a[j][k], &b, &one, a[i][j], &b);
      }
#pragma omp task depend(in : *named(7, a[i][k])) depend(inout : *named(8, a[i][i]))
      dsyrk_("L", "N", &b, &b, &minus, a[i][k], &b, &one, a[i][i], &b);
    }
  }
  if (left_out == 0) printf("%.6f\n", a[0][0][0]);
  return 0;
}
