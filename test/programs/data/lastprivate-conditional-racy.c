// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last index of an even element.
// Racy: the variable is shared, and several iterations write it.
// threads: 2 8
#include <stdio.h>

enum { n = 400 };
static int a[n];

int main(void) {
  int last = -1;
  for (int i = 0; i < n; i++) a[i] = i % 7;
#pragma omp parallel for schedule(dynamic, 4)
  for (int i = 0; i < n; i++)
    if (a[i] % 2 == 0) last = i; // RACE(1,1)
  printf("last = %d\n", last);
  return last == n - 1 ? 0 : 1;
}
