// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of matrices that is written over one of its factors: each iteration reads whole rows that others change
// meanwhile, so that no two elements of a row were accessed by the same strands. The factor is zero, so that the result
// is the same. Repaired: the product has memory of its own.
#include "kernel.h"

enum { most = 1024 };
static double left[most][most], right[most][most];
#ifdef REPAIRED
static double product[most][most];
#else
#define product right
#endif

int main(int argc, char** argv) {
  const int n = (int)scaled(640, argc, argv) + 64;
  for (int i = 0; i < most; i++)
    for (int j = 0; j < most; j++) left[i][j] = i + 2 * j;
#pragma omp parallel for schedule(static)
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < i; k++) product[i][j] += left[i][k] * right[j][k];
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum += product[i][j];
  return checksum(sum);
}
