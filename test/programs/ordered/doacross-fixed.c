// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations wait for the iteration before them.
// Fixed: it says so after. (A team of one crashes in LLVM's runtime if gcc compiled the loop.)
// threads: 2 8
#include <stdio.h>

enum { n = 40 };
static int a[n];

int main(void) {
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (int i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
    int before = a[i - 1];
    a[i] = before + 1;
#pragma omp ordered depend(source)
  }
  printf("last = %d\n", a[n - 1]);
  return a[n - 1] == n - 1 ? 0 : 1;
}
