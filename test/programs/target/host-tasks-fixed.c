// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Target tasks on the host, with copies of their own of variables of several sizes and alignments.
// Fixed: they depend on each other where they use the same array, and each task sums up in its own element.
// builds: driver
#include <stdio.h>

enum { n = 200, tasks = 16 };
struct Settings {
  double scale[5];
  int shift;
};
static int a[n], sums[tasks];

int main(void) {
  struct Settings settings = {{1, 2, 3, 4, 5}, 7};
  char one = 1;
  long two = 2;
  _Alignas(64) int line[16];
  for (int i = 0; i < 16; i++) line[i] = i;
#pragma omp parallel
#pragma omp single
  {
    for (int k = 0; k < tasks; k++) {
#pragma omp target map(from : sums[k]) firstprivate(line, settings, one, k) nowait
      {
        line[0] = (int)settings.scale[k % 5] + one;
        sums[k] = 0;
        for (int i = 0; i < 16; i++) sums[k] += line[i];
      }
    }
#pragma omp target map(tofrom : a) nowait depend(out : a) firstprivate(settings)
    for (int i = 0; i < n; i++) a[i] = settings.shift;
#pragma omp target update from(a) nowait depend(inout : a)
#pragma omp target map(tofrom : a) nowait depend(inout : a) firstprivate(two)
    {
#pragma omp parallel for
      for (int i = 0; i < n; i++) a[i] *= (int)two;
    }
#pragma omp target map(tofrom : a) depend(inout : a)
    a[0]++;
#pragma omp taskwait
  }
  int total = 0, expected = n * 14 + 1;
  for (int i = 0; i < n; i++) total += a[i];
  for (int k = 0; k < tasks; k++) total += sums[k], expected += 120 + k % 5 + 2;
  printf("total = %d, shift = %d, line[0] = %d\n", total, settings.shift, line[0]);
  return total == expected ? 0 : 1;
}
