// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last index of an even element.
// Fixed: lastprivate(conditional), for static and dynamic schedules.
#include <stdio.h>

enum { n = 400 };
static int a[n];

int main(void) {
  int last = -1, again = -1;
  for (int i = 0; i < n; i++) a[i] = i % 7;
#pragma omp parallel
  {
#pragma omp for lastprivate(conditional : last)
    for (int i = 0; i < n; i++)
      if (a[i] % 2 == 0) last = i;
#pragma omp for schedule(static, 4) lastprivate(conditional : again)
    for (int i = 0; i < n; i++)
      if (a[i] % 2 == 0) again = i;
  }
  printf("last = %d, again = %d\n", last, again);
  return last == n - 1 && again == n - 1 ? 0 : 1;
}
