// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each section adds up to a variable of its own in a loop: nobody else touches it, not even to read it before a branch
// that is not taken. A dynamic loop does the same by conditions, and the fields of a structure that are apart.
// threads: 2 8
// expect: silent
#include <stdio.h>

enum { n = 100 };
static double low, high;
static int seen[8];
struct fields {
  unsigned first : 5, : 0;
  unsigned second : 1;
};

int main(void) {
  static double values[n];
  struct fields flags = {0, 0};
  for (int i = 0; i < n; i++) values[i] = i;
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      for (int i = 0; i < n; i++) low += values[i];
#pragma omp section
      for (int i = 0; i < n; i++) high += 2 * values[i];
    }
#pragma omp sections
    {
#pragma omp section
      flags.first = 19;
#pragma omp section
      flags.second = 1;
    }
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 8; i++) {
      if (i == 5) {
        for (int k = 0; k < n; k++) seen[5] += k;
      } else if (i == 6) {
        for (int k = 0; k < n; k++) seen[6] += k;
      }
    }
  }
  printf("%g %g %u %u %d\n", low, high, flags.first, flags.second, seen[5] + seen[6]);
  return 0;
}
