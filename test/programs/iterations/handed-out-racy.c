// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations that the runtime hands out by a guided schedule, by one that is set while the program runs, or by any.
// Racy: each uses what one far before it has written; one thread may have both.
// threads: 1 2
// compilers: clang
// builds: driver
#include <omp.h>
#include <stdio.h>

enum { n = 400, chunk = 4, distance = 100 };
static int a[n], b[n], c[n], d[n];

int main(void) {
#pragma omp parallel for schedule(guided, chunk)
  for (int i = distance; i < n; i++) a[i] = a[i - distance / 2] + 1; // RACE(1,1)
  omp_set_schedule(omp_sched_dynamic, chunk);
#pragma omp parallel for schedule(runtime)
  for (int i = 1; i < n; i++) b[i] = b[i / 2] + 1; // RACE(2,2)
  omp_set_schedule(omp_sched_guided, chunk);
#pragma omp parallel for schedule(runtime)
  for (int i = n - 1; i > 0; i--) c[i / 2] = c[i]; // RACE(3,3)
#pragma omp parallel for schedule(auto)
  for (int i = 1; i < n; i++) d[i] = d[i / 2] + 1; // RACE(4,4)
  printf("%d\n", a[0] + b[0] + c[0] + d[0] >= 0);
  return 0;
}
