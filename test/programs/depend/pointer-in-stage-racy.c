// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stages of a pipeline on a heap block.
// Racy: the last stage names the pointer variable, the others the block.
// levels: native graph
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int got = 0;
#pragma omp parallel shared(got)
#pragma omp single
  {
    int* data = malloc(4 * sizeof *data);
#pragma omp task depend(out : data[0]) firstprivate(data)         // FINDING(unmatched-dependence,1)
    data[0] = 1;                                                  // RACE(1a)
#pragma omp task depend(inout : data[0]) firstprivate(data)       // FINDING(unmatched-dependence,1)
    data[0] += 1;                                                 // RACE(1a)
#pragma omp task depend(in : data) firstprivate(data) shared(got) // FINDING(unmatched-dependence,1) NAMES(data)
    got = data[0];                                                // RACE(1b)
#pragma omp taskwait
    free(data);
  }
  printf("got = %d\n", got);
  return got == 2 ? 0 : 1;
}
