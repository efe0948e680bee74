// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A doacross loop whose iterations are dealt to the threads in turn.
// Bug: an iteration waits for one that comes after it on the same thread. (A sink must be an earlier iteration.)
// threads: 2
// levels: native graph
#include <stdio.h>

enum { n = 8 };
static int a[n];

int main(void) {
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (int i = 0; i < n; i++) {
#pragma omp ordered depend(sink : i + 2) // FINDING(dependence-cycle)
    a[i] = i;
#pragma omp ordered depend(source)
  }
  printf("last = %d\n", a[n - 1]);
  return a[n - 1] == n - 1 ? 0 : 1;
}
