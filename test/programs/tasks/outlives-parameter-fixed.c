// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that depend on a function's argument.
// Fixed: the clause names the block.
// levels: native graph
#include <stdio.h>

static int blocks[2];

__attribute__((noinline)) static void scale(int block, int factor) {
#pragma omp task depend(inout : blocks[block]) firstprivate(block, factor)
  blocks[block] = factor;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    scale(0, 2);
    scale(0, 4);
    scale(1, 3);
  }
  printf("%d %d\n", blocks[0], blocks[1]);
  return blocks[0] == 4 && blocks[1] == 3 ? 0 : 1;
}
