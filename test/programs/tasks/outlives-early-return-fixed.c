// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function waits for its tasks.
// Fixed: on both of its ways out.
// levels: native graph
#include <stdio.h>

static int squares[4];

__attribute__((noinline)) static int fill(int count, int early) {
  int factors[4] = {1, 2, 3, 4};
  for (int i = 0; i < count; i++) {
#pragma omp task shared(factors, squares) firstprivate(i)
    squares[i] = factors[i] * factors[i];
  }
#pragma omp taskwait
  if (early) return 1;
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
  printf("early = %d, %d\n", early, squares[3]);
  return early == 1 && squares[3] == 16 ? 0 : 1;
}
