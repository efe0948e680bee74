// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Producer and consumer are grandchildren.
// Fixed: the taskgroup around the producer's parent waits for the producer, too.
// levels: native graph
#include <stdio.h>

static int x;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp task depend(out : x)
        x = 42;
      }
    }
#pragma omp task shared(got)
    {
#pragma omp task depend(in : x) shared(got)
      got = x;
    }
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
