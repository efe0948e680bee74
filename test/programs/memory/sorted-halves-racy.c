// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks sort the halves of an array.
// Racy: the halves have an element in common.
#include <stdio.h>
#include <stdlib.h>

enum { n = 40, half = n / 2 };
static int data[n];

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; } // ALSO(s)

int main(void) {
  for (int i = 0; i < n; i++) data[i] = (i * 37) % 41;
#pragma omp parallel
#pragma omp single
  {
    const int common = 1;
#pragma omp task
    qsort(data, half + common, sizeof *data, compare); // RACE(1) ALSO(s)
#pragma omp task
    qsort(data + half, half, sizeof *data, compare); // RACE(1) ALSO(s)
  }
  printf("%d\n", data[0]);
  return 0;
}
