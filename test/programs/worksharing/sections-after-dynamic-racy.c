// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dynamic loop fills an array, and a section sums it up.
// Racy: nowait; chunks may still be under way, also if the section's thread took them all.
// threads: 2 8
// builds: driver
#include <stdio.h>
#include <stdlib.h>

enum { n = 400 };

int main(void) {
  int *a = calloc(n, sizeof *a), total = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 4) nowait
    for (int i = 0; i < n; i++) a[i] = 1; // RACE(1)
#pragma omp sections
    {
#pragma omp section
      for (int i = 0; i < n; i++) total += a[i]; // RACE(1)
    }
  }
  printf("total = %d\n", total);
  const int right = total == n;
  free(a);
  return right ? 0 : 1;
}
