// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of static storage has a lock, which is initialised before the region.
// Fixed: it is destroyed before it is initialised again. So is one on the stack of a function that leaves it as it is:
// the next call's memory is another lock, and nothing is said of it.
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static struct {
  omp_lock_t lock;
  int uses;
} table;

static int use_own(int n) {
  omp_lock_t own;
  omp_init_lock(&own);
  omp_set_lock(&own);
  n++;
  omp_unset_lock(&own);
  return n;
}

int main(void) {
  omp_init_lock(&table.lock);
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    {
      omp_destroy_lock(&table.lock);
      omp_init_lock(&table.lock);
    }
    omp_set_lock(&table.lock);
    table.uses = use_own(use_own(table.uses)) - 1;
    omp_unset_lock(&table.lock);
  }
  omp_destroy_lock(&table.lock);
  printf("%d\n", table.uses);
  return 0;
}
