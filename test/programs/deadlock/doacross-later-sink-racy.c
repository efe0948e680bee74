// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A doacross loop in which every iteration tells that it is done before it waits.
// Racy: it waits for the next iteration, which a sink must not name. With a thread for each it ends, but for the last
// one.
// threads: 2 8
// compilers: clang
// levels: native graph
#include <stdio.h>

enum { n = 4 };
static int a[n + 1];

int main(void) {
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(n)
  for (int i = 0; i < n; i++) {
    a[i] = i;
#pragma omp ordered depend(source)
#pragma omp ordered depend(sink : i + 1) // FINDING(dependence-cycle)
  }
  printf("%d\n", a[n - 1]);
  return 0;
}
