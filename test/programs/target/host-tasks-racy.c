// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Target tasks on the host, with copies of their own of a structure.
// Racy: two of them write the same array, and the second one names no dependence.
#include <stdio.h>

enum { n = 200 };
struct Settings {
  double scale[5];
  int shift;
};
static int a[n];

int main(void) {
  struct Settings settings = {{1, 2, 3, 4, 5}, 7};
#pragma omp parallel
#pragma omp single
  {
#pragma omp target map(tofrom : a) nowait depend(inout : a) firstprivate(settings)
    for (int i = 0; i < n; i++) a[i] += settings.shift; // RACE(1)
#pragma omp target map(tofrom : a) nowait firstprivate(settings)
    for (int i = 0; i < n; i++) a[i] += settings.shift; // RACE(1)
  }
  printf("a[0] = %d\n", a[0]);
  return a[0] == 14 ? 0 : 1;
}
