// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A counter that functions use without passing it along.
// Racy: one for all threads.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int calls;

__attribute__((noinline)) static void work(void) {
  calls++; // RACE(1,1)
}

int main(void) {
  int total = 0;
#pragma omp parallel
  {
    for (int i = 0; i < 10; i++) work();
  }
  total = calls;
  printf("total = %d\n", total);
  return total == 10 * omp_get_max_threads() ? 0 : 1;
}
