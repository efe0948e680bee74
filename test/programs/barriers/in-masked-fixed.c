// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The primary thread initialises.
// Fixed: with the barrier after it.
// threads: 2 8
// levels: native graph
#include <stdio.h>

static int x;

static void initialise(void) { x = 1; }

int main(void) {
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp master
    initialise();
#pragma omp barrier
    sum += x;
  }
  printf("%d\n", sum > 1);
  return sum > 1 ? 0 : 1;
}
