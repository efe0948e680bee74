// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of static storage has a lock, which is initialised before the region.
// Racy: each thread initialises it once more.
// threads: 2 4 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static struct {
  omp_lock_t lock;
  int uses;
} table;

int main(void) {
  omp_init_lock(&table.lock);
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    omp_init_lock(&table.lock); // FINDING(lock-misuse)
#pragma omp barrier
    omp_set_lock(&table.lock);
    table.uses++;
    omp_unset_lock(&table.lock);
  }
  omp_destroy_lock(&table.lock);
  printf("%d\n", table.uses);
  return 0;
}
