// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations that the runtime hands out by a guided schedule, by one that is set while the program runs, or by any.
// Each uses what belongs to it, or to its chunk.
// compilers: clang
// builds: driver
#include <omp.h>
#include <stdio.h>

enum { n = 400, chunk = 4 };
static int a[n], b[n], c[n], d[n], e[n];

int main(void) {
#pragma omp parallel for schedule(guided, chunk)
  for (int i = 1; i < n; i++) a[i] += b[i - 1];
  omp_set_schedule(omp_sched_dynamic, chunk);
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < n; i++) b[i / chunk]++;
  omp_set_schedule(omp_sched_guided, chunk);
#pragma omp parallel for schedule(runtime)
  for (unsigned i = n - 1; i > 0; i--) c[i] += (int)i;
#pragma omp parallel for schedule(auto)
  for (long i = n - 1; i >= 0; i -= 2) d[i] = d[i - 1] + 1;
  omp_set_schedule(omp_sched_static, chunk);
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < n; i++) e[i / chunk]++;
  printf("%d\n", a[1] + b[1] + c[1] + d[1] + e[1]);
  return b[n / chunk - 1] == chunk && c[1] == 1 && d[1] == 1 && e[n / chunk - 1] == chunk ? 0 : 1;
}
