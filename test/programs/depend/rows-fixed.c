// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two sweeps over the rows of a matrix, a task for each row.
// Fixed: the same task creates the rows of both sweeps.
// levels: native graph
#include <stdio.h>

enum { rows = 3 };
static int m[rows];

static void sweep(int factor) {
  for (int i = 0; i < rows; i++) {
#pragma omp task depend(inout : m[i])
    m[i] = m[i] * factor + 1;
  }
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    sweep(2);
    sweep(3);
  }
  printf("%d\n", m[0]);
  return m[0] == 4 ? 0 : 1;
}
