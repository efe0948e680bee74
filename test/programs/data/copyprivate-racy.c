// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread draws a seed, each thread makes its own sequence from it.
// Racy: the seed is shared, and each thread's sequence changes it.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static unsigned result[256];

__attribute__((noinline)) static void advance(unsigned* seed) {
  *seed = *seed * 1103515245u + 12345u; // RACE(1,1) ALSO(seed)
}

int main(void) {
  unsigned seed = 0;
#pragma omp parallel shared(seed)
  {
#pragma omp single
    seed = 12345;
    for (int i = 0; i < 10; i++) advance(&seed);
    result[omp_get_thread_num()] = seed; // ALSO(seed)
  }
  printf("result = %s\n", result[0] ? "set" : "zero");
  return 0;
}
