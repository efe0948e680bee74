// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks take the same two locks in opposite orders.
// Fixed: mutexinoutset does not order them, but excludes that they run at the same time.
// threads: 1 2 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "one-at-a-time.h"

static omp_lock_t a, b;
static int value;

static void both(omp_lock_t* first, omp_lock_t* second) {
  begin_alone();
  omp_set_lock(first);
  omp_set_lock(second);
  ++value;
  omp_unset_lock(second);
  omp_unset_lock(first);
  end_alone();
}

int main(void) {
  omp_init_lock(&a);
  omp_init_lock(&b);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(mutexinoutset : value)
    both(&a, &b);
#pragma omp task depend(mutexinoutset : value)
    both(&b, &a);
  }
  omp_destroy_lock(&b);
  omp_destroy_lock(&a);
  printf("value = %d\n", value);
  return value == 2 ? 0 : 1;
}
