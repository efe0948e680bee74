// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One task sets a lock, a later one unsets it.
// Fixed: each task unsets what it has set.
// threads: 1 2 8
// levels: native graph
// flags: -fno-optimize-sibling-calls
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int value;

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    {
      omp_set_lock(&lock);
      ++value;
      omp_unset_lock(&lock);
    }
#pragma omp taskwait
#pragma omp task
    {
      omp_set_lock(&lock);
      ++value;
      omp_unset_lock(&lock);
    }
#pragma omp taskwait
  }
  omp_destroy_lock(&lock);
  printf("value = %d\n", value);
  return value == 2 ? 0 : 1;
}
