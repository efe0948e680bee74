// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leagues on the host: two kernels that run as tasks, and teams that are one thread each where there is one.
// Fixed: by the dependence, and by atomic updates.
// compilers: clang
// builds: driver
#include <stdio.h>

enum { n = 64, width = 8 };
static int values[n], sums[n / width];

static void two_kernels(void) {
#pragma omp target teams distribute map(tofrom : values) nowait depend(out : values)
  for (int i = 0; i < n; i++) values[i] = i;
#pragma omp target teams distribute map(tofrom : values) nowait depend(inout : values)
  for (int i = 0; i < n; i++) values[i] += 5;
#pragma omp taskwait
}

/* A team's threads share a sum. */
static void in_a_team(void) {
#pragma omp target teams distribute parallel for collapse(2) map(to : values) map(tofrom : sums)
  for (int i = 0; i < n / width; i++)
    for (int j = 0; j < width; j++) {
#pragma omp atomic
      sums[i] += values[i * width + j];
    }
}

int main(void) {
  two_kernels();
  in_a_team();
  printf("%d %d\n", values[1], sums[1]);
  return values[1] == 6 ? 0 : 1;
}
