// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks fill one array in steps, others check it.
// Fixed: the checks name the elements that they read.
// levels: native graph
#include <stdio.h>

enum { n = 4 };
static int a[n], wrong;

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; i++) {
#pragma omp task depend(out : a[i]) firstprivate(i)
    a[i] = i;
#pragma omp task depend(in : a[i]) firstprivate(i)
    if (a[i] != i) {
#pragma omp atomic
      wrong++;
    }
  }
  printf("%d\n", wrong);
  return wrong;
}
