// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A league whose number of teams is the implementation's choice turns an array around.
// Fixed: a teams construct for each loop; the league has ended before the next one begins.
#include <stdio.h>

enum { n = 64 };
static int a[n], b[n];

int main(void) {
#pragma omp teams distribute
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp teams distribute
  for (int i = 0; i < n; i++) b[i] = a[n - 1 - i];
  printf("done: %d\n", n);
  return b[0] == n - 1 ? 0 : 1;
}
