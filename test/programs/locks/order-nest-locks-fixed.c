// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two tasks take two nestable locks, one of them twice.
// Fixed: in one order; that the task takes the first lock again while it holds the second one does not matter.
// threads: 1 2 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "one-at-a-time.h"

static omp_nest_lock_t a, b;
static int value;

static void forward(void) {
  begin_alone();
  omp_set_nest_lock(&a);
  omp_set_nest_lock(&b);
  omp_set_nest_lock(&a);
  ++value;
  omp_unset_nest_lock(&a);
  omp_unset_nest_lock(&b);
  omp_unset_nest_lock(&a);
  end_alone();
}

static void backward(void) {
  begin_alone();
  omp_set_nest_lock(&a);
  omp_set_nest_lock(&b);
  omp_set_nest_lock(&a);
  ++value;
  omp_unset_nest_lock(&a);
  omp_unset_nest_lock(&b);
  omp_unset_nest_lock(&a);
  end_alone();
}

int main(void) {
  omp_init_nest_lock(&a);
  omp_init_nest_lock(&b);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    forward();
#pragma omp task
    backward();
  }
  omp_destroy_nest_lock(&b);
  omp_destroy_nest_lock(&a);
  printf("value = %d\n", value);
  return value == 2 ? 0 : 1;
}
