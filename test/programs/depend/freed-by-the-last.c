// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last task of each chain frees the block that the chain is about; blocks have the same addresses one after the
// other.
// expect: silent
// levels: native graph
#include <stdio.h>
#include <stdlib.h>

static int total;

static void stage(int n) {
  int* block = malloc(8 * sizeof *block);
#pragma omp task depend(out : block[0]) firstprivate(block, n)
  block[0] = n;
#pragma omp task depend(inout : block[0]) firstprivate(block)
  block[0]++;
#pragma omp task depend(inout : block[0]) firstprivate(block)
  {
#pragma omp atomic
    total += block[0];
    free(block);
  }
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 300; i++) {
#pragma omp task firstprivate(i)
    stage(i);
  }
  printf("%d\n", total);
  return total == 300 * 299 / 2 + 300 ? 0 : 1;
}
