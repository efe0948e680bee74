// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two detached tasks, and two tasks that fulfil their events.
// Fixed: one of these depends on nothing.
// levels: native graph
#include <omp.h>
#include <stdio.h>

static double left, right;

int main(void) {
  omp_event_handle_t l, r;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task detach(l) depend(out : left)
    left = 1;
#pragma omp task detach(r) depend(out : right)
    right = 1;
#pragma omp task depend(in : left) firstprivate(r)
    omp_fulfill_event(r);
#pragma omp task firstprivate(l)
    omp_fulfill_event(l);
  }
  printf("%g\n", left + right);
  return 0;
}
