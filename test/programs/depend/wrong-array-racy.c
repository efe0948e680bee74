// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks fill one array in steps, others check it.
// Racy: the checks name the elements of another array.
// levels: native graph
#include <stdio.h>

enum { n = 4 };
static int a[n], b[n], wrong;

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; i++) {
#pragma omp task depend(out : a[i]) firstprivate(i)
    a[i] = i;                                      // RACE(1)
#pragma omp task depend(in : b[i]) firstprivate(i) // FINDING(unmatched-dependence)
    if (a[i] != i) {                               // RACE(1)
#pragma omp atomic
      wrong++;
    }
  }
  printf("%d\n", b[0]);
  return 0;
}
