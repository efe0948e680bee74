// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskloop from below zero, with a step.
// Bug: all of its tasks write the same variable.
// threads: 1 2 8
#include <stdio.h>

enum { n = 120 };
static int done[2 * n], last;

int main(int argc, char** argv) {
  (void)argv;
  const int from = 1 - n - argc;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(4)
  for (int i = from; i < n; i += 3) {
    done[i + n]++;
    last = i; // RACE(1,1)
  }
  printf("%d\n", last);
  return 0;
}
