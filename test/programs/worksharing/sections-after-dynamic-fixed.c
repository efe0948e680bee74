// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dynamic loop fills an array, and a section sums it up.
// Fixed: the loop's barrier.
#include <stdio.h>
#include <stdlib.h>

enum { n = 400 };

int main(void) {
  int *a = calloc(n, sizeof *a), total = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 4)
    for (int i = 0; i < n; i++) a[i] = 1;
#pragma omp sections
    {
#pragma omp section
      for (int i = 0; i < n; i++) total += a[i];
    }
  }
  printf("total = %d\n", total);
  const int right = total == n;
  free(a);
  return right ? 0 : 1;
}
