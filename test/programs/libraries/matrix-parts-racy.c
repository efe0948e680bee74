// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks work on parts of one array that lie between each other: rows of a matrix by columns, the triangles of a square,
// every second element of a vector; and a part overlaps its neighbour.
// needs: /usr/lib/x86_64-linux-gnu/libopenblas.so
// flags: -lopenblas -Wno-unused-command-line-argument
// environment: OPENBLAS_NUM_THREADS=1
// threads: 1 4
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>

void dlaset_(const char*, const int*, const int*, const double*, const double*, double*, const int*);

enum { n = 32, half = n / 2 };

int main(void) {
  double *a = calloc(n * n, sizeof *a), *b = calloc(n * n, sizeof *b), *c = calloc(n * n, sizeof *c);
  double *t = calloc(n * n, sizeof *t), *v = calloc(2 * n, sizeof *v), *w = calloc(n, sizeof *w);
  double *e = calloc(n * n, sizeof *e), *u = calloc(n, sizeof *u);
#pragma omp parallel
#pragma omp single
  {
    // The upper and the lower rows of c.
#pragma omp task
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, half, n, n, 1, a, n, b, n, 0, c, n); // RACE(1)
#pragma omp task
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, half, n, 1, a, n, b, n, 0, c + half - 1, n); // RACE(1)
    // The triangles of t, and its diagonal with the upper one.
#pragma omp task
    cblas_dsyrk(CblasColMajor, CblasUpper, CblasNoTrans, n, n, 1, a, n, 0, t, n);
#pragma omp task
    {
      const int rows = n - 1, ld = n;
      const double zero = 0, one = 1;
      dlaset_("L", &rows, &rows, &zero, &one, t + 1, &ld);
    }
    // Even and odd elements of v, backwards.
#pragma omp task
    cblas_dcopy(n, w, 1, v, -2); // RACE(2)
#pragma omp task
    cblas_daxpy(n - 1, 1, w, 1, v + 1 + 1, 2); // RACE(2)
                                               // Of a unit triangular matrix only what is below the diagonal is read.
#pragma omp task
    cblas_dtrmv(CblasColMajor, CblasLower, CblasNoTrans, CblasUnit, n, e, n, u, 1);
#pragma omp task
    {
      const int ld = n, side = n;
      const double zero = 0, one = 1;
      dlaset_("U", &side, &side, &zero, &one, e, &ld);
    }
  }
  // All have ended here.
  cblas_dscal(n, 2, w, 1);
  printf("%g\n", c[0] + v[0] + w[0] + t[0] + e[0] + u[0]);
  return 0;
}
