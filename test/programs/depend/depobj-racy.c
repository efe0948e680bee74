// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A depend object carries the dependence.
// Racy: it says in for a task that writes.
#include <omp.h>
#include <stdio.h>

static int x;

int main(void) {
  omp_depend_t dependence;
#pragma omp depobj(dependence) depend(in : x)
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(depobj : dependence)
    x += 1; // RACE(1)
#pragma omp task depend(in : x)
    x *= 3; // RACE(1)
#pragma omp taskwait
  }
#pragma omp depobj(dependence) destroy
  printf("x = %d\n", x);
  return x == 3 ? 0 : 1;
}
