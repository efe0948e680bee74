// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worksharing loop in a function that all threads call.
// Fixed: all threads take part.
// threads: 2 4
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int a[64];

static void fill(void) {
#pragma omp for schedule(dynamic)
  for (int i = 0; i < 64; i++) a[i] = i;
}

int main(void) {
#pragma omp parallel
  {
    fill();
  }
  printf("last = %d\n", a[63]);
  return a[63] == 63 ? 0 : 1;
}
