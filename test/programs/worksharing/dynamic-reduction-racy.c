// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dynamic loop sums up and notes an element that is too large.
// Racy: the note is one variable for all, also where one thread happens to get all chunks. (What that thread has summed
// up so far is in memory of its own, but tells it nothing about its chunks.)
// threads: 2 8
// builds: driver
#include <stdio.h>

enum { n = 60, limit = 50 };
static int large = -1;

int main(void) {
  long sum = 0;
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : sum)
  for (int i = 0; i < n; i++) {
    sum += i;
    if (i > limit) large = i; // RACE(1,1)
  }
  printf("sum = %ld\n", sum);
  return large > limit ? 0 : 1;
}
