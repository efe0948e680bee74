// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function uses a critical construct while it holds a lock, another sets the lock in the construct.
// Fixed: an undeferred task is over when the other one is created.
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
#pragma omp critical
  ++value;
  omp_unset_lock(&a);
  end_alone();
}

static void backward(void) {
  begin_alone();
#pragma omp critical
  {
    omp_set_lock(&a);
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
#pragma omp task if (0)
    forward();
#pragma omp task
    backward();
  }
  omp_destroy_lock(&a);
  printf("value = %d\n", value);
  return value == 2 ? 0 : 1;
}
