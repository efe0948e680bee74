// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chunks and singles that something orders: doacross iterations, equal static schedules, barriers, tasks and regions
// inside of a unit, copyprivate, a cancelled loop.
// expect: silent
// compilers: clang
// environment: OMP_CANCELLATION=true
#include <stdio.h>
#include <stdlib.h>

enum { n = 200 };
static int a[n], b[n], c[n][4];

int main(void) {
  int shared = 0, found = -1, total = 0;
#pragma omp parallel for schedule(dynamic) ordered(1)
  for (int i = 0; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
    a[i] = (i > 0 ? a[i - 1] : 0) + 1;
#pragma omp ordered depend(source)
  }
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++) b[i] = a[i];
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) b[i] += a[i];
#pragma omp for schedule(dynamic) collapse(2)
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 4; k++) c[i][k] = b[i];
#pragma omp single
    {
      shared = c[n - 1][3];
      for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
        c[i][0]++;
      }
#pragma omp taskwait
      for (int i = 0; i < n; i++) c[i][0]--;
    }
    int copied;
#pragma omp single copyprivate(copied)
    copied = shared;
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < n; i++) {
      int* buffer = malloc(2 * sizeof *buffer);
#pragma omp task shared(buffer)
      buffer[0] = copied;
#pragma omp taskwait
#pragma omp parallel num_threads(2)
#pragma omp single
      buffer[1] = buffer[0];
      c[i][1] = buffer[1];
      free(buffer);
    }
#pragma omp for schedule(dynamic) reduction(+ : total)
    for (int i = 0; i < n; i++) total += c[i][1];
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) {
      if (a[i] == n / 2) {
        found = i;
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
  }
  printf("total = %d, found = %d\n", total, found);
  return total == n * 2 * n && found == n / 2 - 1 ? 0 : 1;
}
