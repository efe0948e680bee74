// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cholesky factorisation in tiles: a task for each operation on tiles, ordered by dependences on them.
#include "kernel.h"

#include <math.h>

enum { tiles = 12, size = 48, tile_size = size * size };

// The lower triangle of tiles, each a row-major block of its own.
static double tile[tiles][tiles][tile_size];

static void factorise(double* a) {
  for (int j = 0; j < size; j++) {
    for (int k = 0; k < j; k++)
      for (int i = j; i < size; i++) a[i * size + j] -= a[i * size + k] * a[j * size + k];
    double pivot = sqrt(a[j * size + j]);
    for (int i = j; i < size; i++) a[i * size + j] /= pivot;
  }
}

// b := b * inverse(transpose(l))
static void solve(const double* l, double* b) {
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      double sum = b[i * size + j];
      for (int k = 0; k < j; k++) sum -= b[i * size + k] * l[j * size + k];
      b[i * size + j] = sum / l[j * size + j];
    }
}

// c := c - a * transpose(b)
static void update(const double* a, const double* b, double* c) {
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      double sum = 0.0;
      for (int k = 0; k < size; k++) sum += a[i * size + k] * b[j * size + k];
      c[i * size + j] -= sum;
    }
}

static void fill(double* a, int i, int j) {
  for (int k = 0; k < size; k++)
    for (int l = 0; l < size; l++)
      a[k * size + l] = (i == j && k == l ? tiles * size : 0.0) + 1.0 / (1 + abs((i - j) * size + k - l));
}

static void factorise_all(void) {
  for (int k = 0; k < tiles; k++) {
#pragma omp task depend(inout : tile[k][k])
    factorise(tile[k][k]);
    for (int i = k + 1; i < tiles; i++) {
#pragma omp task depend(in : tile[k][k]) depend(inout : tile[i][k])
      solve(tile[k][k], tile[i][k]);
    }
    for (int i = k + 1; i < tiles; i++)
      for (int j = k + 1; j <= i; j++) {
#pragma omp task depend(in : tile[i][k], tile[j][k]) depend(inout : tile[i][j])
        update(tile[i][k], tile[j][k], tile[i][j]);
      }
  }
}

int main(int argc, char** argv) {
  long rounds = scaled(90, argc, argv);
  double sum = 0.0;
#pragma omp parallel
#pragma omp single
  for (long r = 0; r < rounds; r++) {
    for (int i = 0; i < tiles; i++)
      for (int j = 0; j <= i; j++) {
#pragma omp task depend(out : tile[i][j])
        fill(tile[i][j], i, j);
      }
    factorise_all();
#pragma omp taskwait
    for (int i = 0; i < tiles; i++) sum += tile[i][i][tile_size - 1] + tile[i][0][tile_size - 1];
  }
  return checksum(sum);
}
