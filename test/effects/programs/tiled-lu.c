// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tiled LU factorisation over BLAS and LAPACK, with pivots within the tiles on the diagonal. The argument says which
// of its dependences is left out; 0: none.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

void dgetrf_(const int*, const int*, double*, const int*, int*, int*);
void dlaswp_(const int*, double*, const int*, const int*, const int*, const int*, const int*);
void dtrsm_(const char*, const char*, const char*, const char*, const int*, const int*, const double*, const double*,
            const int*, double*, const int*);
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
            const double*, const int*, const double*, double*, const int*);

enum { tiles = 3, side = 16 };
static double* a[tiles][tiles];
static int pivots[tiles][side];
static int left_out;

/// What a clause names: the tile, or what nobody else names.
static double* named(int dependence, double* tile) { return dependence == left_out ? malloc(sizeof(double)) : tile; }

int main(int count, char** arguments) {
  const int b = side, first = 1;
  const double one = 1, minus = -1;
  left_out = count > 1 ? atoi(arguments[1]) : 0;
  for (int i = 0; i < tiles; i++)
    for (int j = 0; j < tiles; j++) {
      a[i][j] = malloc(sizeof(double) * side * side);
      for (int k = 0; k < side * side; k++) a[i][j][k] = i == j && k % (side + 1) == 0 ? 2 * tiles * side : 1;
    }
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < tiles; k++) {
#pragma omp task depend(inout : *named(1, a[k][k]))
    {
      int info;
      dgetrf_(&b, &b, a[k][k], &b, pivots[k], &info);
    }
    for (int j = k + 1; j < tiles; j++) {
#pragma omp task depend(in : *named(2, a[k][k])) depend(inout : *named(3, a[k][j]))
      {
        dlaswp_(&b, a[k][j], &b, &first, &b, pivots[k], &first);
        dtrsm_("L", "L", "N", "U", &b, &b, &one, a[k][k], &b, a[k][j], &b);
      }
    }
    for (int i = k + 1; i < tiles; i++) {
#pragma omp task depend(in : *named(4, a[k][k])) depend(inout : *named(5, a[i][k]))
      dtrsm_("R", "U", "N", "N", &b, &b, &one, a[k][k], &b, a[i][k], &b);
      for (int j = k + 1; j < tiles; j++) {
#pragma omp task depend(in : *named(6, a[i][k])) depend(in : *named(7, a[k][j])) depend(inout : *named(8, a[i][j]))
        dgemm_("N", "N", &b, &b, &b, &minus, a[i][k], &b, a[k][j], &b, &one, a[i][j], &b);
      }
    }
  }
  if (left_out == 0) printf("%.6f\n", a[tiles - 1][tiles - 1][0]);
  return 0;
}
