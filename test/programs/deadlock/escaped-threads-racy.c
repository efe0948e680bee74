// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks wait for events that two other tasks fulfil.
// Bug: a thread that waits in one of the first two must not start one of the others, which are not its descendants.
// When both threads wait, nobody fulfils an event. This run has the pairs one after the other, which nothing makes sure
// of.
// compilers: clang
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "luck.h"

static omp_event_handle_t events[2];
static int ready[2], results[2];

static void answer(int i) {
  int seen = 0;
  while (!seen) {
#pragma omp atomic read acquire
    seen = ready[i];
  }
  omp_fulfill_event(events[i]);
}

static void ask(int i) {
  omp_event_handle_t event;
#pragma omp task detach(event)
  results[i] = i + 1;
  events[i] = event;
#pragma omp atomic write release
  ready[i] = 1;
  luck_happens();
#pragma omp taskwait // FINDING(dependence-cycle)
  luck_happens();
}

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < 2; i++) {
#pragma omp task
      ask(i);
      await_luck(2 * i + 1);
#pragma omp task // FINDING(dependence-cycle)
      answer(i);
#pragma omp taskyield
      await_luck(2 * i + 2);
    }
  }
  printf("%d %d\n", results[0], results[1]);
  return results[0] == 1 && results[1] == 2 ? 0 : 1;
}
