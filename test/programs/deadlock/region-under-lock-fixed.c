// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that works in parallel is called with a lock set.
// Fixed: it has a lock of its own.
// levels: native graph
#include <omp.h>
#include <stdio.h>

static omp_lock_t guard, inner;
static int steps;

static void step(void) {
#pragma omp parallel num_threads(2)
  {
    omp_set_lock(&inner);
    steps++;
    omp_unset_lock(&inner);
  }
}

int main(void) {
  omp_init_lock(&guard);
  omp_init_lock(&inner);
  omp_set_lock(&guard);
  step();
  omp_unset_lock(&guard);
  omp_destroy_lock(&guard);
  omp_destroy_lock(&inner);
  printf("%d\n", steps);
  return 0;
}
