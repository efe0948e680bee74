// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A detachable task stands for work that another task does.
// Fixed: it is fulfilled after, and the successor starts only then.
#include <omp.h>
#include <stdio.h>

static int x;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t done;
#pragma omp task detach(done) depend(out : x)
    {
    }
#pragma omp task firstprivate(done)
    {
      x = 42;
      omp_fulfill_event(done);
    }
#pragma omp task depend(in : x) shared(got)
    got = x;
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
