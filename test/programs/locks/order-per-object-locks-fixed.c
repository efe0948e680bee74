// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each task makes a lock of its own and uses it together with a common one; a second kind of task does so in the
// opposite order.
// Fixed: each lock is of one task only, even if the next one has the same address.
// threads: 1 2 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "one-at-a-time.h"

static omp_lock_t common;
static int value;

__attribute__((noinline)) static void with_own_lock(int own_first) {
  omp_lock_t object, *const own = &object;
  omp_init_lock(own);
  begin_alone();
  omp_set_lock(own_first ? own : &common);
  omp_set_lock(own_first ? &common : own);
  ++value;
  omp_unset_lock(&common);
  omp_unset_lock(own);
  end_alone();
  omp_destroy_lock(own);
}

int main(void) {
  omp_init_lock(&common);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 8; ++i) {
#pragma omp task firstprivate(i)
    with_own_lock(i % 2);
  }
  omp_destroy_lock(&common);
  printf("value = %d\n", value);
  return value == 8 ? 0 : 1;
}
