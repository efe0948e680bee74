// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task is complete when its event is fulfilled, by another task.
// Bug: that one depends on it.
// threads: 4
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int x;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : x) // FINDING(dependence-cycle)
    x = 1;
#pragma omp task depend(in : x) firstprivate(event) // FINDING(dependence-cycle)
    omp_fulfill_event(event);
#pragma omp task depend(inout : x)
    x++;
  }
  printf("x = %d\n", x);
  return x == 2 ? 0 : 1;
}
