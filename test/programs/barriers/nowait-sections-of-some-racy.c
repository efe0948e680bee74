// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections without a barrier at their end that the last thread does not come to.
// Bug: all threads of a team must.
// compilers: clang
// flags: -fno-optimize-sibling-calls
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int x, y;

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() + 1 != omp_get_num_threads()) {
#pragma omp sections nowait // FINDING(barrier-mismatch)
      {
#pragma omp atomic
        x++;
#pragma omp section
#pragma omp atomic
        y++;
      }
    }
#pragma omp barrier // FINDING(barrier-mismatch)
  }
  printf("%d\n", x <= 1 && y <= 1);
  return x <= 1 && y <= 1 ? 0 : 1;
}
