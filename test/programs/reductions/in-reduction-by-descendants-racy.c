// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of a tree sum up in a taskgroup with a reduction.
// Racy: none of them takes part in the reduction.
#include <stdio.h>

static int total;
static void walk(int depth) {
  if (depth == 0) return;
#pragma omp task
  {
    total += depth; // RACE(1,1) ALSO(r)
  }
#pragma omp task
  walk(depth - 1);
#pragma omp task
  walk(depth - 1);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup task_reduction(+ : total)
    {
#pragma omp task
      total++; // ALSO(r)
      walk(4);
    }
  }
  printf("%d\n", total);
  return 0;
}
