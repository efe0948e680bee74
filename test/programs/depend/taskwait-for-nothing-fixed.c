// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The creating task waits for one of its children at a time.
// Fixed: it names what the child does. In the first round there is nothing to wait for yet, which is in order.
// levels: native graph
#include <stdio.h>

enum { n = 4 };
static int x[n], y;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < n; i++) {
#pragma omp taskwait depend(in : x[i > 0 ? i - 1 : 0])
      y += i > 0 ? x[i - 1] : 0;
#pragma omp task depend(out : x[i]) firstprivate(i)
      x[i] = i;
    }
  }
  printf("y = %d\n", y);
  return y == 3 ? 0 : 1;
}
