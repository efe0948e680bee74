// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads take part in a worksharing loop, each role in its own.
// Bug: these are two constructs, and iterations are left out.
// compilers: clang
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int a[64];

int main(void) {
  int sum = 0;
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp for schedule(static) // FINDING(barrier-mismatch)
      for (int i = 0; i < 64; i++) a[i] = 1;
    } else {
#pragma omp for schedule(static) // FINDING(barrier-mismatch)
      for (int i = 0; i < 64; i++) a[i] = 2;
    }
  }
  for (int i = 0; i < 64; i++) sum += a[i];
  printf("%d\n", sum >= 64);
  return sum >= 64 ? 0 : 1;
}
