// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A doacross loop nest, one sink of which is just past the end of the inner loop in its last iterations. OpenMP does
// not wait for such a sink. Compiled by clang 19 it hangs where the team has more than one thread.
#include <stdio.h>

enum { n = 5 };
static int a[n + 1][n + 1];

int main(void) {
#pragma omp parallel for ordered(2) schedule(static, 1)
  for (int i = 1; i < n; i++)
    for (int j = 0; j < n; j++) {
#pragma omp ordered depend(sink : i - 1, j + 1)
      a[i][j] = a[i - 1][j + 1] + 1;
#pragma omp ordered depend(source)
    }
  puts(a[n - 1][0] == n - 1 ? "ok" : "wrong");
}
