// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first thread waits at a barrier where the others come to the end of a loop.
// Fixed: all come to both.
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int a[64];

int main(void) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 64; i++) a[i] = 1;
  }
  printf("%d\n", a[0]);
  return a[0] == 1 ? 0 : 1;
}
