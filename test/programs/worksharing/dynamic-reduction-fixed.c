// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dynamic loop sums up and notes an element that is too large.
// Fixed: the note has a reduction, too.
// threads: 2 8
#include <stdio.h>

enum { n = 60, limit = 50 };
static int large = -1;

int main(void) {
  long sum = 0;
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : sum) reduction(max : large)
  for (int i = 0; i < n; i++) {
    sum += i;
    if (i > limit) large = i;
  }
  printf("sum = %ld\n", sum);
  return large > limit ? 0 : 1;
}
