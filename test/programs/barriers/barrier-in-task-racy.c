// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task calls a function that waits for all threads of a team. With more than one thread LLVM's runtime fails, or lets
// the program hang.
// compilers: clang
// threads: 1
#include <stdio.h>

static int sum;

__attribute__((noinline)) static void add_and_wait(int value) {
  sum += value;
#pragma omp barrier // FINDING(barrier-mismatch)
  sum += value;
}

int main(void) {
#pragma omp parallel
#pragma omp single
#pragma omp task
  add_and_wait(3);
  printf("%d\n", sum);
  return 0;
}
