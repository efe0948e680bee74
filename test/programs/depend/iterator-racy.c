// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task sums what others produced.
// Racy: its iterator leaves the last element out.
#include <stdio.h>

enum { n = 5 };
static int part[n];

int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int k = 0; k < n; k++) {
#pragma omp task depend(out : part[k]) firstprivate(k)
      part[k] = k; // RACE(1)
    }
#pragma omp task depend(iterator(k = 0 : n - 1), in : part[k]) shared(sum)
    for (int i = 0; i < n; i++) sum += part[i]; // RACE(1)
  }
  printf("sum = %d\n", sum);
  return sum == n * (n - 1) / 2 ? 0 : 1;
}
