// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task sets one of two flags, its parent looks at one of them.
// Fixed: the parent waits first.
#include <stdio.h>

int main(void) {
  int a = 1, b = 0, c = -1, value = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(a, b, c)
    {
      if (a > b)
        b = 1;
      else
        c = 1;
    }
#pragma omp taskwait
    value = b;
  }
  printf("%s\n", value >= 0 && b == 1 && c == -1 ? "set" : "wrong");
}
