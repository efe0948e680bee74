// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks name a variable in their depend clauses that none of them uses, and each sums up a row of its own: the order
// that the clauses give is not needed. The item that is used by two tasks is.
// threads: 2 8
// compilers: clang
// builds: driver
// environment: FLETCHER_OPTIONS=advise=1
#include <stdio.h>

enum { rows = 4, columns = 64 };
static double table[rows][columns], sums[rows];
static int turn;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    for (int row = 0; row < rows; row++) {
#pragma omp task depend(out : sums[row])
      for (int i = 0; i < columns; i++) table[row][i] = row + i;
#pragma omp task depend(inout : turn) depend(in : sums[row]) // FINDING(not-needed)
      for (int i = 0; i < columns; i++) sums[row] += table[row][i];
    }
  }
  double all = 0;
  for (int row = 0; row < rows; row++) all += sums[row];
  printf("%g\n", all);
}
