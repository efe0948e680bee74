// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reader comes after two writers by a taskwait between them, and their creator reads, too.
// Racy: with nowait the taskwait is an empty task of its own, for which the creator does not wait.
// compilers: clang
#include <stdio.h>

int main(void) {
  int a = 0, b = 0, seen = 0, sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(a) depend(out : a)
    a = 1; // RACE(1)
#pragma omp task shared(b) depend(out : b)
    b = 2;
#pragma omp taskwait depend(inout : a, b) nowait
#pragma omp task shared(a, b, sum) depend(in : a)
    sum = a + b;
    seen = a; // RACE(1)
#pragma omp taskwait
  }
  printf("seen = %d, sum = %d\n", seen, sum);
  return sum == 3 ? 0 : 1;
}
