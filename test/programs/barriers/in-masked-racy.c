// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The primary thread initialises.
// Bug: with the barrier inside of its block.
// flags: -fno-optimize-sibling-calls
// threads: 2 8
// levels: graph
#include <stdio.h>

static int x;

static void initialise(void) {
  x = 1;
#pragma omp barrier // FINDING(barrier-mismatch)
}

int main(void) {
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp master
    initialise();
    sum += 1;
  }
  printf("%d\n", sum > 1);
  return sum > 1 ? 0 : 1;
}
