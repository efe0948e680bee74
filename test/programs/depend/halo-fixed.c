// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stencil in blocks: each task reads its neighbours' edges.
// Fixed: it names its own block and its neighbours' as they do. The blocks at the ends have neighbours that no task
// writes, which is in order.
// levels: native graph
#include <stdio.h>

enum { block = 4, blocks = 3, n = blocks * block };
static int a[n + 2 * block], b[n + 2 * block];

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    for (int k = block; k < block + n; k += block) {
#pragma omp task depend(out : a[k : block]) firstprivate(k)
      for (int i = k; i < k + block; i++) a[i] = i;
    }
    for (int k = block; k < block + n; k += block) {
#pragma omp task depend(in : a[k - block : block], a[k : block], a[k + block : block]) depend(out : b[k : block])      \
    firstprivate(k)
      for (int i = k; i < k + block; i++) b[i] = a[i - 1] + a[i + 1];
    }
  }
  printf("%d\n", b[block + 1]);
  return b[block + 1] == 2 * (block + 1) ? 0 : 1;
}
