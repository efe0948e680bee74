// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task searches an array; behind what it looks for, another task writes.
// It is found before.
#include <stdio.h>

enum { n = 50 };
static int a[n], position;

static int find(const int* p, int size, int value) {
  for (int i = 0; i < size; i++)
    if (p[i] == value) return i;
  return -1;
}

int main(void) {
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    position = find(a, n, 30);
#pragma omp task
    for (int i = 31; i < n; i++) a[i] = -i;
  }
  printf("found = %d\n", position >= 0);
  return position == 30 ? 0 : 1;
}
