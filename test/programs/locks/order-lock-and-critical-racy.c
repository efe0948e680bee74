// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function uses a critical construct while it holds a lock, another sets the lock in the construct.
// Racy: two tasks call them.
// threads: 1 2 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "one-at-a-time.h"

static omp_lock_t a;
static int value;

static void forward(void) {
  begin_alone();
  omp_set_lock(&a);
#pragma omp critical // FINDING(lock-order-cycle,1)
  ++value;           // FINDING(lock-order-cycle,1)
  omp_unset_lock(&a);
  end_alone();
}

static void backward(void) {
  begin_alone();
#pragma omp critical
  {
    omp_set_lock(&a); // FINDING(lock-order-cycle)
    ++value;
    omp_unset_lock(&a);
  }
  end_alone();
}

int main(void) {
  omp_init_lock(&a);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    forward();
#pragma omp task
    backward();
  }
  omp_destroy_lock(&a);
  printf("value = %d\n", value);
  return value == 2 ? 0 : 1;
}
