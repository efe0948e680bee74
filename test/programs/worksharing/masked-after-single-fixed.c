// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any thread computes, and thread 0 uses the result.
// Fixed: the single has a barrier. And where thread 0 goes on only if it was the one, or with what it did itself, none
// is needed.
// threads: 1 2 8
// compilers: clang
#include <stdio.h>

static int first, second, third, fourth;

static void note(int* mine) { *mine = 1; }

int main(void) {
#pragma omp parallel
  {
    int mine = 0, noted = 0;
#pragma omp single
    first = 20;
#pragma omp masked
    {
      second = first + 1;
      third = 1;
    }
#pragma omp single nowait
    {
      fourth = 1;
      mine = 1;
      note(&noted);
    }
#pragma omp masked
    {
      third++;
      if (mine && noted) fourth++;
    }
  }
  printf("second = %d, third = %d\n", second, third);
  return second == 21 && third == 2 ? 0 : 1;
}
