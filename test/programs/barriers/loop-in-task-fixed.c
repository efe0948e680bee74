// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task shares a loop among the threads of a team of its own, and a barrier there is that team's.
#include <stdio.h>

enum { n = 64 };
static int squares[n];

__attribute__((noinline)) static void fill(void) {
#pragma omp for schedule(dynamic)
  for (int i = 0; i < n; i++) squares[i] = i * i;
#pragma omp barrier
}

int main(void) {
#pragma omp parallel
#pragma omp single
#pragma omp task
#pragma omp parallel
  fill();
  printf("%d\n", squares[n - 1]);
  return 0;
}
