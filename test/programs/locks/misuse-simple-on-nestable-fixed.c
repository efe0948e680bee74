// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock is initialised as a nestable one.
// Fixed: routines for nestable locks use it.
// threads: 1 2 8
// levels: native graph
// flags: -fno-optimize-sibling-calls
#include <omp.h>
#include <stdio.h>

static omp_nest_lock_t lock;
static int value;

int main(void) {
  omp_init_nest_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      omp_set_nest_lock(&lock);
      ++value;
      omp_unset_nest_lock(&lock);
    }
#pragma omp taskwait
  }
  omp_destroy_nest_lock(&lock);
  printf("value = %d\n", value);
  return value == 1 ? 0 : 1;
}
