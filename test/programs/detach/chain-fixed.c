// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Detached tasks update a sum one after the other, by a child that fulfils the event.
// Fixed: the child fulfils it when it is ready.
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
#pragma omp task firstprivate(i, ev)
        {
          a[0] += i;
          omp_fulfill_event(ev);
        }
      }
    }
  }
  printf("%d\n", a[0]);
  return 0;
}
