// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two constructs without a barrier, which the threads with an odd number meet in the opposite order.
// Bug: the order must be the same for all.
// compilers: clang
// flags: -fno-optimize-sibling-calls
// threads: 2 4 8
// levels: graph
#include <omp.h>
#include <stdio.h>

static int a[64], x;

static void fill(void) {
#pragma omp for nowait // FINDING(barrier-mismatch)
  for (int i = 0; i < 64; i++) a[i] = 1;
}
static void note(void) {
#pragma omp single nowait // FINDING(barrier-mismatch)
  x++;
}

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() % 2 == 1) {
      fill();
      note();
    } else {
      note();
      fill();
    }
  }
  printf("%d\n", x);
  return x <= 1 ? 0 : 1;
}
