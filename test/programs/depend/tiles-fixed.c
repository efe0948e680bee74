// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks over the tiles of a matrix, named by sections of two dimensions: what is told of such a section reaches from
// its first to its last element, so that tiles beside each other seem to overlap.
// Fixed: who reads a neighbour's column names that tile, too.
// compilers: clang
// levels: native graph
#include <stdio.h>

enum { n = 64, tile = 16 };
static double a[n][n], b[n][n];

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < n; i += tile)
      for (int j = 0; j < n; j += tile) {
#pragma omp task depend(inout : a[i : tile][j : tile])
        for (int x = i; x < i + tile; x++)
          for (int y = j; y < j + tile; y++) a[x][y] += x + y;
      }
    for (int i = 0; i < n; i += tile)
      for (int j = 0; j + tile < n; j += tile) {
#pragma omp task depend(in : a[i : tile][j : tile], a[i : tile][j + tile : tile]) depend(out : b[i : tile][j : tile])
        for (int x = i; x < i + tile; x++)
          for (int y = j; y < j + tile; y++) b[x][y] = a[x][y + 1];
      }
  }
  printf("%g\n", b[2][tile - 1]);
  return b[2][tile - 1] == 2 * (2 + tile) ? 0 : 1;
}
