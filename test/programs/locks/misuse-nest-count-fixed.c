// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task sets a nestable lock twice.
// Fixed: it unsets it twice.
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
      omp_set_nest_lock(&lock);
      ++value;
      omp_unset_nest_lock(&lock);
      omp_unset_nest_lock(&lock);
    }
#pragma omp taskwait
  }
  printf("value = %d\n", value);
  return value == 1 ? 0 : 1;
}
