// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cholesky factorisation of a symmetric positive definite matrix in tiles, one task per tile operation. Dependences
// on the tiles order the operations.
//
// Fixed: the update of a tile declares the tile that it changes as `inout`.
#include <math.h>
#include <stdio.h>

enum { tiles = 6, size = 16, n = tiles * size };

// Lower triangle of tiles, each a row-major block of its own.
static double tile[tiles][tiles][size * size];
static double original[n][n];

// Factorises a diagonal tile in place.
static void factorise(double* a) {
  for (int j = 0; j < size; j++) {
    for (int k = 0; k < j; k++)
      for (int i = j; i < size; i++) a[i * size + j] -= a[i * size + k] * a[j * size + k];
    double pivot = sqrt(a[j * size + j]);
    for (int i = j; i < size; i++) a[i * size + j] /= pivot;
  }
}

// b := b * inverse(transpose(l)), l a factorised diagonal tile.
static void solve(const double* l, double* b) {
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      double sum = b[i * size + j];
      for (int k = 0; k < j; k++) sum -= b[i * size + k] * l[j * size + k];
      b[i * size + j] = sum / l[j * size + j];
    }
}

// c := c - a * transpose(b)
static void multiply_subtract(const double* a, const double* b, double* c) {
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      double sum = 0.0;
      for (int k = 0; k < size; k++) sum += a[i * size + k] * b[j * size + k];
      c[i * size + j] -= sum;
    }
}

// c := c - a * transpose(a), the lower half only.
static void square_subtract(const double* a, double* c) {
  for (int i = 0; i < size; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0.0;
      for (int k = 0; k < size; k++) sum += a[i * size + k] * a[j * size + k];
      c[i * size + j] -= sum;
    }
}

static void cholesky(void) {
  for (int k = 0; k < tiles; k++) {
#pragma omp task depend(inout : tile[k][k])
    factorise(tile[k][k]);

    for (int i = k + 1; i < tiles; i++) {
#pragma omp task depend(in : tile[k][k]) depend(inout : tile[i][k])
      solve(tile[k][k], tile[i][k]);
    }

    for (int i = k + 1; i < tiles; i++) {
      for (int j = k + 1; j < i; j++) {
#pragma omp task depend(in : tile[i][k], tile[j][k]) depend(inout : tile[i][j])
        multiply_subtract(tile[i][k], tile[j][k], tile[i][j]);
      }
#pragma omp task depend(in : tile[i][k]) depend(inout : tile[i][i])
      square_subtract(tile[i][k], tile[i][i]);
    }
  }
}

static double element(int i, int j) { return j > i ? 0.0 : tile[i / size][j / size][(i % size) * size + j % size]; }

// Largest difference between the original and the product of the factor with its transpose.
static double largest_error(void) {
  double largest = 0.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0.0;
      for (int k = 0; k <= j; k++) sum += element(i, k) * element(j, k);
      largest = fmax(largest, fabs(sum - original[i][j]));
    }
  return largest;
}

int main(void) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      original[i][j] = i == j ? n : 1.0 / (1 + i - j);
      tile[i / size][j / size][(i % size) * size + j % size] = original[i][j];
    }

#pragma omp parallel
#pragma omp single
  cholesky();

  double error = largest_error();
  printf("cholesky of a %d x %d matrix: %s\n", n, n, error < 1e-9 ? "correct" : "WRONG");
  return error < 1e-9 ? 0 : 1;
}
