// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop without a barrier at its end that the first thread does not come to.
// Bug: all threads of a team must, and some iterations are left out.
// compilers: clang
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int a[64];

int main(void) {
  int sum = 0;
#pragma omp parallel // MAY(barrier-mismatch)
  {
    if (omp_get_thread_num() != 0) {
#pragma omp for nowait // FINDING(barrier-mismatch)
      for (int i = 0; i < 64; i++) a[i] = 1;
    }
  }
  for (int i = 0; i < 64; i++) sum += a[i];
  printf("%d\n", sum <= 64);
  return sum <= 64 ? 0 : 1;
}
