// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop whose schedule the environment chooses; each iteration needs the element of the one before.
// Racy: that may be in a chunk of another thread, also if one thread took both chunks.
// threads: 2 8
// environment: OMP_SCHEDULE=dynamic,4
#include <stdio.h>

enum { n = 400 };

int main(void) {
  int a[n] = {0};
#pragma omp parallel for schedule(runtime)
  for (int i = 1; i < n; i++) a[i] = a[i - 1] + 1; // RACE(1,1)
  printf("last = %d\n", a[n - 1]);
  return a[n - 1] == n - 1 ? 0 : 1;
}
