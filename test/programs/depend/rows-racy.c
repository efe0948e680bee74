// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sweeps over the rows of a matrix: a task for each sweep, and in it a task for each row.
// Racy: the rows of the second sweep are no siblings of those of the first.
// levels: native graph
// (GCC's debug information puts the creation of a task that comes first in its parent on the parent's line.)
#include <stdio.h>

enum { rows = 3 };
static int m[rows];

static void sweep(int factor) {
  for (int i = 0; i < rows; i++) {    // FINDING(non-sibling-dependence,1)
#pragma omp task depend(inout : m[i]) // FINDING(non-sibling-dependence,1)
    m[i] = m[i] * factor + 1;         // RACE(1,1)
  }
}

int main(void) {
#pragma omp parallel // FINDING(non-sibling-dependence,1)
#pragma omp single
  {
#pragma omp task
    sweep(2);
#pragma omp task
    sweep(3);
  }
  printf("%d\n", m[0]);
  return m[0] == 4 ? 0 : 1;
}
