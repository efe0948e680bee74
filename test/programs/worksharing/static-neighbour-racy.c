// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop adds each element's right neighbour to it.
// Racy: in place; at the end of a thread's chunk the neighbour belongs to another thread.
// threads: 2 8
#include <stdio.h>

enum { n = 1000 };
static int a[n + 1];

int main(void) {
  for (int i = 0; i <= n; i++) a[i] = i;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) a[i] = a[i] + a[i + 1]; // RACE(1,1)
  printf("first = %d\n", a[0]);
  return a[0] == 1 ? 0 : 1;
}
