// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three tasks take three locks, each two of them.
// Racy: a and b, b and c, c and a: a circle.
// threads: 1 2 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "one-at-a-time.h"

static omp_lock_t a, b, c;
static int value;

static void both(omp_lock_t* first, omp_lock_t* second) {
  begin_alone();
  omp_set_lock(first);
  omp_set_lock(second); // FINDING(lock-order-cycle)
  ++value;
  omp_unset_lock(second);
  omp_unset_lock(first);
  end_alone();
}

int main(void) {
  omp_init_lock(&a);
  omp_init_lock(&b);
  omp_init_lock(&c);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    both(&a, &b);
#pragma omp task
    both(&b, &c);
#pragma omp task
    both(&c, &a);
  }
  omp_destroy_lock(&c);
  omp_destroy_lock(&b);
  omp_destroy_lock(&a);
  printf("value = %d\n", value);
  return value == 3 ? 0 : 1;
}
