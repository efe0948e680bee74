// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that works in parallel is called with a lock set.
// Bug: it takes the lock itself; its tasks are others than the one that has set it.
// levels: native graph
#include <omp.h>
#include <stdio.h>

static omp_lock_t guard;
static int steps;

static void step(void) {
#pragma omp parallel num_threads(2) // FINDING(dependence-cycle,1)
  {
    omp_set_lock(&guard); // FINDING(dependence-cycle,1)
    steps++;
    omp_unset_lock(&guard);
  }
}

int main(void) {
  omp_init_lock(&guard);
  omp_set_lock(&guard); // FINDING(dependence-cycle,1)
  step();
  omp_unset_lock(&guard);
  omp_destroy_lock(&guard);
  printf("%d\n", steps);
  return 0;
}
