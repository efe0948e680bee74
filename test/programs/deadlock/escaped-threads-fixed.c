// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks wait for events that children of theirs fulfil: the waiting threads may start them.
// threads: 1 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int results[2];

static void ask(int i) {
  omp_event_handle_t event;
#pragma omp task detach(event)
  results[i] = i + 1;
#pragma omp task firstprivate(event)
  omp_fulfill_event(event);
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 2; i++) {
#pragma omp task
      ask(i);
    }
  }
  printf("%d %d\n", results[0], results[1]);
  return results[0] == 1 && results[1] == 2 ? 0 : 1;
}
