// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of a tree sum up in a taskgroup with a reduction.
// Fixed: all that add take part.
#include <stdio.h>

static int total;
static void walk(int depth) {
  if (depth == 0) return;
#pragma omp task in_reduction(+ : total)
  {
    total += depth;
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
#pragma omp task in_reduction(+ : total)
      total++;
      walk(4);
    }
  }
  printf("%d\n", total);
  return 0;
}
