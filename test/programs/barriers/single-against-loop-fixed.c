// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first thread executes a single construct while the others share a loop.
// Fixed: the first thread's part is no worksharing construct.
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int a[64], x;

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp atomic
      x++;
    }
#pragma omp for nowait
    for (int i = 0; i < 64; i++) a[i] = 1;
  }
  printf("%d\n", x);
  return x <= 1 ? 0 : 1;
}
