// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The initial task sets a lock and destroys it.
// Fixed: it unsets it before.
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
  ++value;
  omp_set_lock(&lock);
  ++value;
  omp_unset_lock(&lock);
  omp_destroy_lock(&lock);
  printf("value = %d\n", value);
  return value == 2 ? 0 : 1;
}
