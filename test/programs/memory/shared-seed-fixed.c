// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads throw dice.
// Fixed: each thread has states of its own.
// threads: 2 8
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  unsigned seed = 1;
  unsigned short state[3] = {1, 2, 3};
  double sum = 0;
#pragma omp parallel firstprivate(seed, state) reduction(+ : sum)
  {
    sum += rand_r(&seed) % 6;
    sum += erand48(state);
  }
  printf("%s\n", sum > 0 ? "thrown" : "not thrown");
}
