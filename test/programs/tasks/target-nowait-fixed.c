// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A target region without nowait's wait fills an array that a task reads.
// Fixed: the task depends on the target region.
// builds: driver
#include <stdio.h>

static int x[32], y[32];

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp target nowait map(tofrom : x) depend(out : x)
    for (int i = 0; i < 32; i++) x[i] = i;
#pragma omp task depend(in : x)
    for (int i = 0; i < 32; i++) y[i] = x[i];
#pragma omp taskwait
  }
  printf("%d\n", y[31]);
  return 0;
}
