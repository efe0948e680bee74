// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop without a barrier at its end that the first thread does not come to.
// Fixed: all threads do.
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int a[64];

int main(void) {
  int sum = 0;
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < 64; i++) a[i] = 1;
  }
  for (int i = 0; i < 64; i++) sum += a[i];
  printf("%d\n", sum <= 64);
  return sum <= 64 ? 0 : 1;
}
