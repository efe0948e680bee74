// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks merge sorted runs, each into its half of an array. The merge goes on at two places, each of which writes.
// Repaired: the halves lie end to end.
#include <stdio.h>

enum { run = 300 };

static void merge(const long* low1, const long* high1, const long* low2, const long* high2, long* to) {
  long a1 = *low1, a2 = *low2;
  for (;;) {
    if (a1 < a2) {
      *to++ = a1;
      if (++low1 == high1) break;
      a1 = *low1;
    } else {
      *to++ = a2;
      if (++low2 == high2) break;
      a2 = *low2;
    }
  }
  while (low1 < high1) *to++ = *low1++;
  while (low2 < high2) *to++ = *low2++;
}

int main(void) {
  static long runs[4][run], merged[4 * run];
  for (int r = 0; r < 4; r++)
    for (int i = 0; i < run; i++) runs[r][i] = 4 * i + (i / 7 % 2 ? r : 3 - r);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    merge(runs[0], runs[0] + run, runs[1], runs[1] + run, merged);
#pragma omp task
    merge(runs[2], runs[2] + run, runs[3], runs[3] + run, merged + 2 * run);
  }
  printf("%ld\n", merged[run]);
  return 0;
}
