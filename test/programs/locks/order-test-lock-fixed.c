// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks take the same two locks in opposite orders.
// Fixed: one of them does not wait while it holds a lock: it lets go and tries again.
// threads: 1 2 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "one-at-a-time.h"

static omp_lock_t a, b;
static int value;

static void forward(void) {
  begin_alone();
  omp_set_lock(&a);
  omp_set_lock(&b);
  ++value;
  omp_unset_lock(&b);
  omp_unset_lock(&a);
  end_alone();
}

static void backward(void) {
  begin_alone();
  for (;;) {
    omp_set_lock(&b);
    if (omp_test_lock(&a)) break;
    omp_unset_lock(&b);
  }
  ++value;
  omp_unset_lock(&a);
  omp_unset_lock(&b);
  end_alone();
}

int main(void) {
  omp_init_lock(&a);
  omp_init_lock(&b);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    forward();
#pragma omp task
    backward();
  }
  omp_destroy_lock(&b);
  omp_destroy_lock(&a);
  printf("value = %d\n", value);
  return value == 2 ? 0 : 1;
}
