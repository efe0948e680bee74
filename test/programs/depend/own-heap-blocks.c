// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every task orders its own children by a heap block, which it frees. The next task may get the same block.
// expect: silent
// levels: native graph
#include <stdio.h>
#include <stdlib.h>

static int results[16];

static void pipeline(int i) {
  int* block = malloc(2 * sizeof *block);
#pragma omp task depend(out : block[0]) firstprivate(block, i)
  block[0] = i + 1;
#pragma omp task depend(in : block[0]) depend(out : block[1]) firstprivate(block)
  block[1] = block[0] * 2;
#pragma omp task depend(in : block[1]) firstprivate(block, i)
  {
    results[i] = block[1];
    free(block);
  }
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 16; i++) {
#pragma omp task firstprivate(i)
    pipeline(i);
  }
  printf("%d %d\n", results[0], results[15]);
  return results[0] == 2 && results[15] == 32 ? 0 : 1;
}
