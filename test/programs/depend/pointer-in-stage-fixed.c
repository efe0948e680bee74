// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stages of a pipeline on a heap block.
// Fixed: all of them name the pointer, which says as much: it stands for the block.
// levels: native graph
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int got = 0;
#pragma omp parallel shared(got)
#pragma omp single
  {
    int* data = malloc(4 * sizeof *data);
#pragma omp task depend(out : data) firstprivate(data)
    data[0] = 1;
#pragma omp task depend(inout : data) firstprivate(data)
    data[0] += 1;
#pragma omp task depend(in : data) firstprivate(data) shared(got)
    got = data[0];
#pragma omp taskwait
    free(data);
  }
  printf("got = %d\n", got);
  return got == 2 ? 0 : 1;
}
