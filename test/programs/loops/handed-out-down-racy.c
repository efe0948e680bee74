// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop over addresses that counts down, and of which the runtime hands out chunks.
// Bug: all iterations write the same variable.
// threads: 2 8
#include <stdio.h>

enum { n = 60 };
static int done[n], *last;

int main(int argc, char** argv) {
  (void)argv;
#pragma omp parallel for schedule(dynamic)
  for (int* p = done + n - argc; p > done + 7 + argc; p -= 3) {
    ++*p;
    last = p; // RACE(1,1)
  }
  printf("%d\n", (int)(last - done));
  return 0;
}
