// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of two parents share a variable of the function that created these.
// Fixed: the parents have dependences on it themselves, and wait for their children.
// levels: native graph
#include <stdio.h>

int main(void) {
  int got = 0;
#pragma omp parallel shared(got)
#pragma omp single
  {
    int x = 0;
#pragma omp task shared(x) depend(out : x)
    {
#pragma omp task depend(out : x) shared(x)
      x = 42;
#pragma omp taskwait
    }
#pragma omp task shared(x, got) depend(in : x)
    {
#pragma omp task depend(in : x) shared(x, got)
      got = x;
#pragma omp taskwait
    }
#pragma omp taskwait
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
