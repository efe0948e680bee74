// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task with an event, and a taskwait that waits for it.
// Bug: the event would be fulfilled after the taskwait.
// threads: 2
// levels: graph
#include <omp.h>
#include <stdio.h>

static int x;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event) // FINDING(dependence-cycle)
    x++;
#pragma omp taskwait // MAY(dependence-cycle)
    omp_fulfill_event(event);
  }
  printf("x = %d\n", x);
  return x == 1 ? 0 : 1;
}
