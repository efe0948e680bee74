// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LU factorisation, without pivoting, of a matrix of tiles of which many are missing and some appear during the
// factorisation: tasks with dependences on the tiles, of very different number in each step.
#include "kernel.h"

enum { tiles = 20, size = 40, tile_size = size * size };

static double* tile[tiles][tiles];

static double* new_tile(void) { return calloc(tile_size, sizeof(double)); }

static int is_there(int i, int j) { return i == j || i == j + 1 || j == i + 1 || (i % 3 == 0 && j % 2 == 0); }

static void fill(double* a, int i, int j) {
  for (int k = 0; k < size; k++)
    for (int l = 0; l < size; l++) a[k * size + l] = (i == j && k == l ? 2.0 * tiles * size : 1.0 / (1 + (k + l) % 7));
}

static void factorise(double* a) {
  for (int k = 0; k < size; k++)
    for (int i = k + 1; i < size; i++) {
      a[i * size + k] /= a[k * size + k];
      for (int j = k + 1; j < size; j++) a[i * size + j] -= a[i * size + k] * a[k * size + j];
    }
}

// b := inverse(lower(a)) * b
static void solve_row(const double* a, double* b) {
  for (int k = 0; k < size; k++)
    for (int i = k + 1; i < size; i++)
      for (int j = 0; j < size; j++) b[i * size + j] -= a[i * size + k] * b[k * size + j];
}

// b := b * inverse(upper(a))
static void solve_column(const double* a, double* b) {
  for (int i = 0; i < size; i++)
    for (int k = 0; k < size; k++) {
      b[i * size + k] /= a[k * size + k];
      for (int j = k + 1; j < size; j++) b[i * size + j] -= b[i * size + k] * a[k * size + j];
    }
}

static void update(const double* a, const double* b, double* c) {
  for (int i = 0; i < size; i++)
    for (int k = 0; k < size; k++)
      for (int j = 0; j < size; j++) c[i * size + j] -= a[i * size + k] * b[k * size + j];
}

static void factorise_all(void) {
  for (int k = 0; k < tiles; k++) {
#pragma omp task depend(inout : tile[k][k])
    factorise(tile[k][k]);
    for (int j = k + 1; j < tiles; j++)
      if (tile[k][j]) {
#pragma omp task depend(in : tile[k][k]) depend(inout : tile[k][j])
        solve_row(tile[k][k], tile[k][j]);
      }
    for (int i = k + 1; i < tiles; i++)
      if (tile[i][k]) {
#pragma omp task depend(in : tile[k][k]) depend(inout : tile[i][k])
        solve_column(tile[k][k], tile[i][k]);
      }
    for (int i = k + 1; i < tiles; i++)
      for (int j = k + 1; j < tiles; j++)
        if (tile[i][k] && tile[k][j]) {
          if (!tile[i][j]) tile[i][j] = new_tile(); // before the first task that uses it
          double *a = tile[i][k], *b = tile[k][j], *c = tile[i][j];
#pragma omp task depend(in : tile[i][k], tile[k][j]) depend(inout : tile[i][j])
          update(a, b, c);
        }
  }
}

int main(int argc, char** argv) {
  long rounds = scaled(150, argc, argv);
  double sum = 0.0;
#pragma omp parallel
#pragma omp single
  for (long r = 0; r < rounds; r++) {
    for (int i = 0; i < tiles; i++)
      for (int j = 0; j < tiles; j++) {
        tile[i][j] = is_there(i, j) ? new_tile() : NULL;
        if (tile[i][j]) fill(tile[i][j], i, j);
      }
    factorise_all();
#pragma omp taskwait
    for (int i = 0; i < tiles; i++)
      for (int j = 0; j < tiles; j++)
        if (tile[i][j]) {
          sum += tile[i][j][tile_size - 1];
          free(tile[i][j]);
        }
  }
  return checksum(sum);
}
