// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads throw dice.
// Racy: the generators' states are one for all.
// threads: 2 8
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  _Alignas(8) unsigned seed = 1; // apart, so that each line is a race of its own
  _Alignas(8) unsigned short state[3] = {1, 2, 3};
  double sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    sum += rand_r(&seed) % 6; // RACE(1,1)
    sum += erand48(state);    // RACE(2,2)
  }
  printf("%s\n", sum > 0 ? "thrown" : "not thrown");
}
