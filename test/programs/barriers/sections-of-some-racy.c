// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections for one thread that has nothing else to do.
// Bug: the others do not come to the construct, and not to its barrier.
// compilers: clang
// flags: -fno-optimize-sibling-calls
// threads: 4
// levels: graph
#include <omp.h>
#include <stdio.h>

static int x, y, z;

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() != 0) {
#pragma omp atomic
      z++;
    } else {
#pragma omp sections // FINDING(barrier-mismatch)
      {
#pragma omp section
        x = 1;
#pragma omp section
        y = 1;
      }
    }
  }
  printf("%d\n", x + y + (z > 0));
  return x + y + (z > 0) == 3 ? 0 : 1;
}
