// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock is set before a parallel region.
// Racy: the region's first thread unsets it. It is the same thread, but another task.
// threads: 1 2 8
// levels: native graph
// flags: -fno-optimize-sibling-calls
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int value;

int main(void) {
  omp_init_lock(&lock);
  omp_set_lock(&lock);
#pragma omp parallel
  if (omp_get_thread_num() == 0) {
    ++value;
    omp_unset_lock(&lock); // FINDING(lock-misuse)
  }
  omp_destroy_lock(&lock);
  printf("value = %d\n", value);
  return value == 1 ? 0 : 1;
}
