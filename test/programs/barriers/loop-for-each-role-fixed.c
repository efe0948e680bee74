// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads take part in a worksharing loop, each role in its own.
// Fixed: it is one loop.
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int a[64];

int main(void) {
  int sum = 0;
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < 64; i++) a[i] = 1 + (omp_get_thread_num() != 0);
  }
  for (int i = 0; i < 64; i++) sum += a[i];
  printf("%d\n", sum >= 64);
  return sum >= 64 ? 0 : 1;
}
