// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A single construct that only the threads with an even number come to.
// Bug: it ends with a barrier of the whole team.
// compilers: clang
// flags: -fno-optimize-sibling-calls
// threads: 4
// levels: graph
#include <omp.h>
#include <stdio.h>

static int x;

int main(void) {
#pragma omp parallel
  {
    const int even = omp_get_thread_num() % 2 == 0;
    if (even) {
#pragma omp single // FINDING(barrier-mismatch)
      x++;
    }
    if (even) {
#pragma omp atomic
      x++;
    }
  }
  printf("x = %d\n", x > 1);
  return x > 1 ? 0 : 1;
}
