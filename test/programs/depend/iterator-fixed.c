// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task sums what others produced.
// Fixed: its iterator names all elements.
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
      part[k] = k;
    }
#pragma omp task depend(iterator(k = 0 : n), in : part[k]) shared(sum)
    for (int i = 0; i < n; i++) sum += part[i];
  }
  printf("sum = %d\n", sum);
  return sum == n * (n - 1) / 2 ? 0 : 1;
}
