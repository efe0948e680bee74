// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A single construct without a barrier at its end that only the threads with an odd number come to.
// Fixed: all threads do.
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int x;

static void note(void) {
#pragma omp single nowait
#pragma omp atomic
  x++;
}

int main(void) {
#pragma omp parallel
  {
    note();
  }
  printf("%d\n", x);
  return x > 0 ? 0 : 1;
}
