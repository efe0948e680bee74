// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A detachable task is complete when its body has ended and its event is fulfilled.
// Fixed: taskwait waits for both.
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
    x = 42;
    omp_fulfill_event(done);
#pragma omp taskwait
    got = x;
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
