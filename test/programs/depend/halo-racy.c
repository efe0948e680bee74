// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stencil in blocks: each task reads its neighbours' edges.
// Racy: it names its block with the edges as one section, which begins one element before the block.
// compilers: clang
// levels: native graph
#include <stdio.h>

enum { block = 4, blocks = 3, n = blocks * block };
static int a[n + 2], b[n + 2];

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    for (int k = 1; k <= n; k += block) {
#pragma omp task depend(out : a[k : block]) firstprivate(k) // FINDING(unmatched-dependence,1)
      for (int i = k; i < k + block; i++) a[i] = i;         // RACE(1)
    }
    for (int k = 1; k <= n; k += block) {
#pragma omp task depend(in : a[k - 1 : block + 2]) depend(out : b[k : block])                                          \
    firstprivate(k)                                                   // FINDING(unmatched-dependence,1)
      for (int i = k; i < k + block; i++) b[i] = a[i - 1] + a[i + 1]; // RACE(1)
    }
  }
  printf("%d\n", b[2]);
  return b[2] == 4 ? 0 : 1;
}
