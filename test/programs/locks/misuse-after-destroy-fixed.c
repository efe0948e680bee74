// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock is destroyed and used again.
// Fixed: it is initialised again.
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
  {
    omp_set_lock(&lock);
    ++value;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  omp_init_lock(&lock);
  omp_set_lock(&lock);
  ++value;
  omp_unset_lock(&lock);
  printf("value = %d\n", value);
  return value == 1 + omp_get_max_threads() ? 0 : 1;
}
