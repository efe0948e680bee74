// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many tasks in a chain, more than the runtime queues; the reads in between are pairwise unordered.
// Fixed: each link is inout.
#include <stdio.h>

enum { links = 400 };
static int x, copies[links];

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < links; k++) {
    {
#pragma omp task depend(inout : x)
      x++;
    }
#pragma omp task depend(in : x) firstprivate(k)
    copies[k] = x;
  }
  printf("x = %d, last copy = %d\n", x, copies[links - 1]);
  return x == links && copies[links - 1] == links ? 0 : 1;
}
