// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task sets one of two flags, its parent looks at one of them.
// Racy: the parent does not wait. Where the optimiser makes one store of the branches' two it has no line of its own.
#include <stdio.h>

int main(void) {
  int a = 1, b = 0, c = -1, value = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(a, b, c)
    {
      if (a > b) // RACE(1a): then the line of the code before it is told
        b = 1;   // RACE(1a)
      else
        c = 1; // RACE(1a): or this one, where ThreadSanitizer compiled it
    }
    value = b; // RACE(1b)
  }
  printf("%s\n", value >= 0 && b == 1 && c == -1 ? "set" : "wrong");
}
