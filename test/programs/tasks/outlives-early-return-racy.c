// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function waits for its tasks.
// Racy: but not where it returns early.
// compilers: clang
// levels: native graph
#include <stdio.h>

static int squares[4];

__attribute__((noinline)) static int fill(int count, int early) {
  int factors[4] = {1, 2, 3, 4};
  for (int i = 0; i < count; i++) {
#pragma omp task shared(factors, squares) firstprivate(i) // FINDING(missing-taskwait) NAMES(factors)
    squares[i] = factors[i] * factors[i];
  }
  if (early) return 1;
#pragma omp taskwait
  return 0;
}

int main(void) {
  int early = 0;
#pragma omp parallel
#pragma omp single
  {
    early += fill(4, 0);
    early += fill(4, 1);
#pragma omp taskwait
  }
  printf("early = %d\n", early);
  return early == 1 ? 0 : 1;
}
