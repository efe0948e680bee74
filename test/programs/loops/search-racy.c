// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task searches an array; behind what it looks for, another task writes.
// Racy: it is not there, so all of the array is searched.
#include <stdio.h>

enum { n = 50 };
static int a[n], position;

static int find(const int* p, int size, int value) {
  for (int i = 0; i < size; i++)
    if (p[i] == value) return i; // RACE(1)
  return -1;
}

int main(void) {
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    position = find(a, n, n);
#pragma omp task
    for (int i = 31; i < n; i++) a[i] = -i; // RACE(1)
  }
  printf("found = %d\n", position >= 0);
  return position == 30 ? 0 : 1;
}
