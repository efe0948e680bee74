// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an iteration makes and waits for: tasks, taskgroups, regions; and loops in a row, with tasks between them.
// expect: silent
#include <stdio.h>

enum { n = 48 };
static int a[n], b[n], c[n];

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
#pragma omp task shared(a) firstprivate(i)
      a[i] = i;
#pragma omp taskwait
      b[i] = a[i];
    }
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
      int here = i;
#pragma omp taskgroup
      {
#pragma omp task shared(here)
        here++;
      }
      b[i] += here;
    }
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++) {
#pragma omp task depend(out : c[i]) firstprivate(i)
      c[i] = i;
#pragma omp task depend(inout : c[i]) firstprivate(i)
      c[i] += i;
    }
#pragma omp barrier
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
#pragma omp parallel for num_threads(2)
      for (int k = 0; k < 2; k++)
        if (k == 0) a[i] += b[i];
    }
  }
  printf("%d %d\n", b[n - 1], c[n - 1]);
  return c[n - 1] == 2 * (n - 1) ? 0 : 1;
}
