// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two detached tasks, and two tasks that depend on one and fulfil the event of the other.
// Bug: each waits for the other one.
// levels: native graph
#include <omp.h>
#include <stdio.h>

static double left, right;

int main(void) {
  omp_event_handle_t l, r;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task detach(l) depend(out : left) // FINDING(dependence-cycle,1)
    left = 1;
#pragma omp task detach(r) depend(out : right) // FINDING(dependence-cycle,1)
    right = 1;
#pragma omp task depend(in : left) firstprivate(r) // FINDING(dependence-cycle,1)
    omp_fulfill_event(r);
#pragma omp task depend(in : right) firstprivate(l) // FINDING(dependence-cycle,1)
    omp_fulfill_event(l);
  }
  printf("%g\n", left + right);
  return 0;
}
