// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A counter that functions use without passing it along.
// Fixed: threadprivate, summed up in a critical section.
#include <omp.h>
#include <stdio.h>

static int calls;
#pragma omp threadprivate(calls)

__attribute__((noinline)) static void work(void) { calls++; }

int main(void) {
  int total = 0;
#pragma omp parallel
  {
    for (int i = 0; i < 10; i++) work();
#pragma omp critical
    total += calls;
  }
  printf("total = %d\n", total);
  return total == 10 * omp_get_max_threads() ? 0 : 1;
}
