// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that a caller may hold already is to be a nestable one.
// Fixed: it is initialised and destroyed as one.
// levels: native graph
#include <omp.h>
#include <stdio.h>

static omp_nest_lock_t lock;
static int count;

static void add(void) {
  omp_set_nest_lock(&lock);
  count++;
  omp_unset_nest_lock(&lock);
}

int main(void) {
  omp_init_nest_lock(&lock);
#pragma omp parallel
  add();
  omp_destroy_nest_lock(&lock);
  printf("%d\n", count > 0);
  return 0;
}
