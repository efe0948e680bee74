// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A taskloop that counts down.
// Bug: all of its tasks write the same variable.
// threads: 1 2 8
#include <stdio.h>

enum { n = 60 };
static int done[n], last;

int main(int argc, char** argv) {
  (void)argv;
  const int from = n - argc, until = 7 + argc;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(4)
  for (int i = from; i > until; i -= 3) {
    done[i]++;
    last = i; // RACE(1,1)
  }
  printf("%d\n", last);
  return 0;
}
