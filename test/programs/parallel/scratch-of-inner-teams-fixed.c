// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inner teams fill a scratch array, in chunks and sections of which one thread may execute several.
// Fixed: each outer thread has its own array, on its stack or in its heap.
// threads: 1 2 4
#include <stdio.h>
#include <stdlib.h>

enum { n = 24, length = 16 };
static double results[4][n];

int main(void) {
#pragma omp parallel
  {
    double scratch[length];
#pragma omp for schedule(dynamic, 1)
    for (int k = 0; k < n; k++) {
#pragma omp parallel for num_threads(2)
      for (int i = 0; i < length; i++) scratch[i] = k * i;
      for (int i = 0; i < length; i++) results[0][k] += scratch[i];
    }
  }
#pragma omp parallel
  {
    double* const scratch = malloc(length * sizeof *scratch);
    double *changing = scratch, varying[length];
#pragma omp for schedule(dynamic, 1)
    for (int k = 0; k < n; k++) {
#pragma omp parallel for num_threads(2)
      for (int i = 0; i < length; i++) changing[i] = varying[i] = k * i;
      for (int i = 0; i < length; i++) results[1][k] += varying[i];
    }
    free(scratch);
  }
#pragma omp parallel
  {
    double scratch[length];
    double* heap = malloc(length * sizeof *heap);
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp parallel for num_threads(2)
        for (int i = 0; i < length; i++) heap[i] = scratch[i] = i;
        results[2][0] = heap[3] + scratch[3];
      }
#pragma omp section
      {
#pragma omp parallel for num_threads(2)
        for (int i = 0; i < length; i++) heap[i] = scratch[i] = i;
        results[2][1] = heap[3] + scratch[3];
      }
    }
    free(heap);
  }
  double all = 0;
  for (int k = 0; k < n; k++) all += results[0][k] + results[1][k] + results[2][k];
  printf("%g\n", all);
}
