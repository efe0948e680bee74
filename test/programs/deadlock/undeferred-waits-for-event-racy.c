// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An undeferred task depends on a detached one.
// Bug: its creator fulfils the event when it has returned.
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int packet;

int main(void) {
  omp_event_handle_t sent;
#pragma omp parallel
#pragma omp masked
  {
#pragma omp task detach(sent) depend(out : packet) // FINDING(dependence-cycle,1)
    packet = 1;
#pragma omp task if (0) depend(in : packet) // FINDING(dependence-cycle,1)
    printf("%d\n", packet);
    omp_fulfill_event(sent);
  }
  return 0;
}
