// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two constructs without a barrier, which the threads with an odd number meet in the opposite order.
// Fixed: it is.
// flags: -fno-optimize-sibling-calls
// threads: 2 4 8
// levels: graph
#include <omp.h>
#include <stdio.h>

static int a[64], x;

static void fill(void) {
#pragma omp for nowait
  for (int i = 0; i < 64; i++) a[i] = 1;
}
static void note(void) {
#pragma omp single nowait
  x++;
}

int main(void) {
#pragma omp parallel
  {
    fill();
    note();
  }
  printf("%d\n", x);
  return x <= 1 ? 0 : 1;
}
