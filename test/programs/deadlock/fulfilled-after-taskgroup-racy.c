// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task with an event, and a taskgroup that waits for it.
// Bug: the event would be fulfilled after the taskgroup.
// threads: 4
// levels: graph
#include <omp.h>
#include <stdio.h>

static int x;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp taskgroup
    {
#pragma omp task detach(event) // FINDING(dependence-cycle)
      x++;
    }
    omp_fulfill_event(event);
  }
  printf("x = %d\n", x);
  return x == 1 ? 0 : 1;
}
