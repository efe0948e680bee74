// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function with a barrier, called in a single construct.
// Bug: the executor's barrier meets the others' end of the construct, and its own end of the construct nobody.
// flags: -fno-optimize-sibling-calls
// threads: 4
// levels: graph
#include <stdio.h>

static int x;

static void next_phase(void) {
#pragma omp barrier // FINDING(barrier-mismatch,1)
}

int main(void) {
#pragma omp parallel
  {
#pragma omp single // FINDING(barrier-mismatch,1)
    {
      x++;
      next_phase();
    }
  }
  printf("x = %d\n", x);
  return x == 1 ? 0 : 1;
}
