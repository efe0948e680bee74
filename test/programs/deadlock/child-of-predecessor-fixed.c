// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task waits for its child, whose event a sibling of the first task fulfils.
// Fixed: it does not.
// threads: 2 4
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int x, y;
static omp_event_handle_t handed, *place = &handed;

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    int known = 0;
#pragma omp task depend(out : x) shared(known)
    {
      omp_event_handle_t event;
#pragma omp task detach(event)
      y = 1;
      *place = event;
#pragma omp atomic write seq_cst
      known = 1;
#pragma omp taskwait
      x = y;
    }
#pragma omp task shared(known)
    {
      for (int seen = 0; !seen;) {
#pragma omp atomic read seq_cst
        seen = known;
      }
      omp_fulfill_event(*place);
    }
#pragma omp taskwait
  }
  printf("x = %d\n", x);
  return x == 1 ? 0 : 1;
}
