// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread draws a seed, each thread makes its own sequence from it.
// Fixed: each thread has a seed; copyprivate broadcasts the first value.
#include <omp.h>
#include <stdio.h>

static unsigned result[256];

__attribute__((noinline)) static void advance(unsigned* seed) { *seed = *seed * 1103515245u + 12345u; }

int main(void) {
  unsigned seed = 0;
#pragma omp parallel private(seed)
  {
#pragma omp single copyprivate(seed)
    seed = 12345;
    for (int i = 0; i < 10; i++) advance(&seed);
    result[omp_get_thread_num()] = seed;
  }
  printf("result = %s\n", result[0] ? "set" : "zero");
  return result[0] == result[omp_get_max_threads() - 1] ? 0 : 1;
}
