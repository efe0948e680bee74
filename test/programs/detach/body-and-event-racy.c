// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A detachable task is complete when its body has ended and its event is fulfilled.
// Racy: who fulfils the event has not waited for the body.
#include <omp.h>
#include <stdio.h>

static int x;

int main(void) {
  int got = 0;
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t done;
#pragma omp task detach(done)
    x = 42; // RACE(1)
    omp_fulfill_event(done);
    got = x; // RACE(1)
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
