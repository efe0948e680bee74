// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A critical construct around a taskgroup, whose tasks' child enters the same critical construct.
// Bug: the end of the taskgroup waits for the child, the child for the end of the critical construct.
// threads: 2
// levels: graph
#include <stdio.h>

static int x;

static void add(void) {
#pragma omp critical(sum) // FINDING(dependence-cycle)
  x++;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp critical(sum)
#pragma omp taskgroup
    {
      x++;
#pragma omp task
      {
#pragma omp task
        add();
      }
    }
  }
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
