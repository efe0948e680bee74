// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A critical construct around a taskgroup, whose tasks' child enters the same critical construct.
// Fixed: the taskgroup is outside.
// threads: 2 4
// levels: native graph
#include <stdio.h>

static int x;

static void add(void) {
#pragma omp critical(sum)
  x++;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp critical(sum)
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
