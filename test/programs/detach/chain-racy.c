// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Detached tasks update a sum one after the other, by a child that fulfils the event.
// Racy: the event is fulfilled before the child has run.
#include <omp.h>
#include <stdio.h>

static int a[3];

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 3; i++) {
      omp_event_handle_t ev;
#pragma omp task detach(ev) depend(inout : a) firstprivate(i)
      {
        omp_fulfill_event(ev);
#pragma omp task firstprivate(i, ev)
        {
          a[0] += i; // RACE(1,1)
        }
      }
    }
  }
  printf("%d\n", a[0]);
  return 0;
}
