// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks sort the halves of an array.
// Fixed: each its own half.
#include <stdio.h>
#include <stdlib.h>

enum { n = 40, half = n / 2 };
static int data[n];

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

int main(void) {
  for (int i = 0; i < n; i++) data[i] = (i * 37) % 41;
#pragma omp parallel
#pragma omp single
  {
    const int common = 0;
#pragma omp task
    qsort(data, half + common, sizeof *data, compare);
#pragma omp task
    qsort(data + half, half, sizeof *data, compare);
  }
  printf("%d\n", data[0]);
  return 0;
}
