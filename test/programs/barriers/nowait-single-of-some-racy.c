// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A single construct without a barrier at its end that only the threads with an odd number come to.
// Bug: all threads of a team must.
// compilers: clang
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int x;

static void note(void) {
#pragma omp single nowait // FINDING(barrier-mismatch)
#pragma omp atomic
  x++;
}

int main(void) {
#pragma omp parallel // MAY(barrier-mismatch)
  {
    if (omp_get_thread_num() % 2 == 1) note();
  }
  printf("%d\n", x);
  return x > 0 ? 0 : 1;
}
