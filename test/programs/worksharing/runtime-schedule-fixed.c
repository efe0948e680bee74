// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop whose schedule the environment chooses.
// Fixed: no iteration needs another one.
// environment: OMP_SCHEDULE=dynamic,4
#include <stdio.h>

enum { n = 400 };

int main(void) {
  int a[n] = {0};
#pragma omp parallel for schedule(runtime)
  for (int i = 1; i < n; i++) a[i] = i;
  printf("last = %d\n", a[n - 1]);
  return a[n - 1] == n - 1 ? 0 : 1;
}
