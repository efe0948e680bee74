// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks are elements of an array of variable length.
// Fixed: in one order.
// flags: -O0
// levels: native graph
#include <omp.h>
#include <stdio.h>

#include "one-at-a-time.h"

static int value;

__attribute__((noinline)) static void move(omp_lock_t* from, omp_lock_t* to) {
  begin_alone();
  omp_set_lock(from);
  omp_set_lock(to);
  value++;
  omp_unset_lock(to);
  omp_unset_lock(from);
  end_alone();
}

__attribute__((noinline)) static void work(int count) {
  omp_lock_t gates[count];
  for (int i = 0; i < count; i++) omp_init_lock(&gates[i]);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    move(&gates[0], &gates[2]);
#pragma omp task
    move(&gates[0], &gates[2]);
  }
  for (int i = 0; i < count; i++) omp_destroy_lock(&gates[i]);
}

int main(void) {
  work(3);
  printf("value = %d\n", value);
  return value == 2 ? 0 : 1;
}
