// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tiled QR factorisation over LAPACK's kernels for tiles. The argument says which of its dependences is left out; 0:
// none.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

void dgeqrt_(const int*, const int*, const int*, double*, const int*, double*, const int*, double*, int*);
void dgemqrt_(const char*, const char*, const int*, const int*, const int*, const int*, const double*, const int*,
              const double*, const int*, double*, const int*, double*, int*);
void dtpqrt_(const int*, const int*, const int*, const int*, double*, const int*, double*, const int*, double*,
             const int*, double*, int*);
void dtpmqrt_(const char*, const char*, const int*, const int*, const int*, const int*, const int*, const double*,
              const int*, const double*, const int*, double*, const int*, double*, const int*, double*, int*);

enum { tiles = 3, side = 16, inner = 4 };
static double *a[tiles][tiles], *t[tiles][tiles];
static int left_out;

/// What a clause names: the tile, or what nobody else names.
static double* named(int dependence, double* tile) { return dependence == left_out ? malloc(sizeof(double)) : tile; }

int main(int count, char** arguments) {
  const int b = side, nb = inner, none = 0;
  left_out = count > 1 ? atoi(arguments[1]) : 0;
  for (int i = 0; i < tiles; i++)
    for (int j = 0; j < tiles; j++) {
      a[i][j] = malloc(sizeof(double) * side * side);
      t[i][j] = malloc(sizeof(double) * inner * side);
      for (int k = 0; k < side * side; k++) a[i][j][k] = i == j && k % (side + 1) == 0 ? 2 * tiles * side : 1;
    }
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < tiles; k++) {
#pragma omp task depend(inout : *named(1, a[k][k]))
    {
      double work[inner * side];
      int info;
      dgeqrt_(&b, &b, &nb, a[k][k], &b, t[k][k], &nb, work, &info);
    }
    for (int j = k + 1; j < tiles; j++) {
#pragma omp task depend(in : *named(2, a[k][k])) depend(inout : *named(3, a[k][j]))
      {
        double work[inner * side];
        int info;
        dgemqrt_("L", "T", &b, &b, &b, &nb, a[k][k], &b, t[k][k], &nb, a[k][j], &b, work, &info);
      }
    }
    for (int i = k + 1; i < tiles; i++) {
#pragma omp task depend(inout : *named(4, a[k][k])) depend(inout : *named(5, a[i][k]))
      {
        double work[inner * side];
        int info;
        dtpqrt_(&b, &b, &none, &nb, a[k][k], &b, a[i][k], &b, t[i][k], &nb, work, &info);
      }
      for (int j = k + 1; j < tiles; j++) {
#pragma omp task depend(in : *named(6, a[i][k])) depend(inout : *named(7, a[k][j])) depend(inout : *named(8, a[i][j]))
        {
          double work[inner * side];
          int info;
          dtpmqrt_("L", "T", &b, &b, &b, &none, &nb, a[i][k], &b, t[i][k], &nb, a[k][j], &b, a[i][j], &b, work, &info);
        }
      }
    }
  }
  if (left_out == 0) printf("%.6f\n", a[tiles - 1][tiles - 1][0]);
  return 0;
}
