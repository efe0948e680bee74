// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task sleeps; its creator waits for it in a taskgroup, a sibling by dependence, the team at a barrier.
// threads: 2
// levels: native graph
#include <stdio.h>
#include <unistd.h>

static int x;

int main(void) {
#pragma omp parallel
  {
#pragma omp single nowait
#pragma omp taskgroup
    {
#pragma omp task depend(out : x)
      {
        usleep(1600000);
        x = 1;
      }
#pragma omp task depend(inout : x)
      x++;
    }
#pragma omp barrier
  }
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
