// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread creates tasks that fill an array, then the team works on it.
// Fixed: at the barrier that ends single, all tasks are complete.
#include <stdio.h>

enum { n = 100 };
static int a[n], b[n];

int main(void) {
#pragma omp parallel
  {
#pragma omp single
    for (int part = 0; part < 4; part++) {
#pragma omp task firstprivate(part)
      for (int i = part * n / 4; i < (part + 1) * n / 4; i++) a[i] = i;
    }
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) b[i] = a[i] + 1;
  }
  printf("b = %d .. %d\n", b[0], b[n - 1]);
  return b[0] == 1 && b[n - 1] == n ? 0 : 1;
}
