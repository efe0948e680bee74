// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A detachable task stands for work that another task does.
// Racy: the event is fulfilled before the work is done.
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
      omp_fulfill_event(done);
      x = 42; // RACE(1)
    }
#pragma omp task depend(in : x) shared(got)
    got = x; // RACE(1)
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
