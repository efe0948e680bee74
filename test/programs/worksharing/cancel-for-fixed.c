// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads search an array and stop all when one has found what it looks for.
// Fixed: the counter is updated atomically.
// environment: OMP_CANCELLATION=true
#include <stdio.h>

enum { n = 1000 };
static int a[n];

int main(void) {
  int found = -1, looked_at = 0;
  for (int i = 0; i < n; i++) a[i] = i;
#pragma omp parallel
#pragma omp for schedule(static, 1)
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    looked_at++;
    if (a[i] == n - 10) {
      found = i;
#pragma omp cancel for
    }
#pragma omp cancellation point for
  }
  printf("found = %d\n", found);
  return found == n - 10 && looked_at > 0 ? 0 : 1;
}
