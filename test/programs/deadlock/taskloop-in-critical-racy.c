// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskloop adds up numbers in a critical construct.
// Bug: so does whoever creates it: a taskloop waits for its tasks, at its end.
// levels: native graph
#include <stdio.h>

static int sum;

static void add(int i) {
#pragma omp critical(total) // FINDING(dependence-cycle,1)
  sum += i;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp critical(total)
    {
#pragma omp taskloop grainsize(1) // FINDING(dependence-cycle,1)
      for (int i = 0; i < 8; i++) {
        add(i);
      }
    }
  }
  printf("%d\n", sum);
  return 0;
}
