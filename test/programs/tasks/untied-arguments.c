// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Untied tasks with variables of their own, whose parts take turns on the threads' stacks. There is no race.
// expect: silent
// flags: -O0
#include <stdio.h>

static long total;

__attribute__((noinline)) static void add(long* own, long what) { *own += what; }

int main(void) {
  long start = 1;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(2)
  for (int i = 0; i < 24; i++) {
#pragma omp task untied firstprivate(start, i)
    {
      add(&start, i);
#pragma omp atomic
      total += start;
    }
  }
  printf("total = %ld\n", total);
  return total == 300 ? 0 : 1;
}
