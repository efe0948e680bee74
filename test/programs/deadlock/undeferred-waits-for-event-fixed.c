// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An undeferred task depends on a detached one.
// Fixed: its creator fulfils the event before.
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int packet;

int main(void) {
  omp_event_handle_t sent;
#pragma omp parallel
#pragma omp masked
  {
#pragma omp task detach(sent) depend(out : packet)
    packet = 1;
    omp_fulfill_event(sent);
#pragma omp task if (0) depend(in : packet)
    printf("%d\n", packet);
  }
  return 0;
}
