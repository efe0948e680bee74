// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread prepares, the others use.
// Bug: the barrier is met by that one only.
// flags: -fno-optimize-sibling-calls
// threads: 2 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int x;

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      x = 1;
#pragma omp barrier // FINDING(barrier-mismatch)
    }
  }
  printf("x = %d\n", x);
  return x == 1 ? 0 : 1;
}
