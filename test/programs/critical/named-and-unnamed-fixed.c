// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One side uses a critical section with a name.
// Fixed: both have the name.
#include <omp.h>
#include <stdio.h>

static int hits, weight;

__attribute__((noinline)) static void count_one(void) {
#pragma omp critical(statistics)
  {
    hits += 1;
  }
}

__attribute__((noinline)) static void count_two(void) {
#pragma omp critical(statistics)
  {
    weight = 1;
    hits += 2;
  }
}

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0)
      count_two();
    else
      count_one();
  }
  printf("hits = %d, weight = %d\n", hits, weight);
  return hits == omp_get_max_threads() + 1 ? 0 : 1;
}
