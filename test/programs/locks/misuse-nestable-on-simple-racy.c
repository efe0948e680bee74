// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that a caller may hold already is to be a nestable one.
// Racy: its initialisation was forgotten when it became one.
// levels: native graph
#include <omp.h>
#include <stdio.h>

static omp_nest_lock_t lock;
static int count;

static void add(void) {
  omp_set_nest_lock(&lock); // FINDING(lock-misuse)
  count++;
  omp_unset_nest_lock(&lock);
}

int main(void) {
  omp_init_lock((omp_lock_t*)&lock);
#pragma omp parallel
  add();
  omp_destroy_lock((omp_lock_t*)&lock);
  printf("%d\n", count > 0);
  return 0;
}
