// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that depend on a function's argument.
// Racy: the clause names the parameter, a copy that ends when the function returns, not what the caller passed.
// levels: native graph
#include <stdio.h>

static int blocks[2];

__attribute__((noinline)) static void scale(int block, int factor) {
#pragma omp task depend(inout : block) firstprivate(block, factor) // FINDING(missing-taskwait)
  blocks[block] = factor;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    scale(0, 2);
#pragma omp taskwait
    scale(1, 3);
#pragma omp taskwait
  }
  printf("%d %d\n", blocks[0], blocks[1]);
  return blocks[0] == 2 && blocks[1] == 3 ? 0 : 1;
}
