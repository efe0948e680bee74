// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task calls a function that shares its loop among the threads of a team. With more than one thread LLVM's runtime
// fails, or lets the program hang.
// threads: 1
#include <stdio.h>

enum { n = 64 };
static int squares[n];

__attribute__((noinline)) static void fill(void) {
#pragma omp for schedule(dynamic)                 // FINDING(barrier-mismatch,1)
  for (int i = 0; i < n; i++) squares[i] = i * i; // FINDING(barrier-mismatch,1)
}

int main(void) {
#pragma omp parallel
#pragma omp single
#pragma omp task
  fill();
  printf("%d\n", squares[n - 1]);
  return 0;
}
