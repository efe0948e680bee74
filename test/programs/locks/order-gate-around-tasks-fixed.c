// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread creates and awaits a task inside a critical construct. The tasks take two locks in opposite orders.
// Fixed: the constructs have one name: while one task runs, the other is not even created.
// threads: 2 8
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
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp critical(first)
      {
#pragma omp task
        both(&a, &b);
#pragma omp taskwait
      }
    } else {
#pragma omp critical(first)
      {
#pragma omp task
        both(&b, &a);
#pragma omp taskwait
      }
    }
  }
  omp_destroy_lock(&b);
  omp_destroy_lock(&a);
  printf("value = %d\n", value);
  return value == 2 ? 0 : 1;
}
