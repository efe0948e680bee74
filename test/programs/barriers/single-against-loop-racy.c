// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first thread executes a single construct while the others share a loop.
// Bug: each is for the whole team.
// compilers: clang
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int a[64], x;

int main(void) {
#pragma omp parallel // MAY(barrier-mismatch)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp single nowait // FINDING(barrier-mismatch)
#pragma omp atomic
      x++;
    } else {
#pragma omp for nowait // FINDING(barrier-mismatch)
      for (int i = 0; i < 64; i++) a[i] = 1;
    }
  }
  printf("%d\n", x);
  return x <= 1 ? 0 : 1;
}
