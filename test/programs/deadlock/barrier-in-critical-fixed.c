// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier by a call after a critical construct.
// Fixed: outside of it.
// threads: 2 8
// levels: native graph
#include <stdio.h>

static int x;

static void next_phase(void) {
#pragma omp barrier
}

int main(void) {
#pragma omp parallel
  {
#pragma omp critical
    {
      x++;
    }
    next_phase();
  }
  printf("%s\n", x > 1 ? "all" : "one");
  return x > 1 ? 0 : 1;
}
