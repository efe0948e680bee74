// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks search the parts of an array; the one that finds something cancels the others.
// Fixed: they count atomically.
// environment: OMP_CANCELLATION=true
#include <stdio.h>

enum { parts = 8, length = 100 };
static int a[parts * length];

int main(void) {
  int found = -1, looked_at = 0;
  a[150] = 1;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    for (int p = 0; p < 2; p++) {
#pragma omp task shared(found, looked_at) firstprivate(p)
      {
#pragma omp atomic
        looked_at++;
        for (int i = p * length; i < (p + 1) * length; i++)
          if (a[i] == 1) found = i;
      }
    }
#pragma omp taskgroup
    for (int p = 1; p < parts; p++) {
#pragma omp task shared(found) firstprivate(p)
      {
        if (found >= p * length) {
#pragma omp cancel taskgroup
        }
      }
    }
    found = found + 1;
  }
  printf("found = %d\n", found);
  return found == 151 && looked_at > 0 ? 0 : 1;
}
