// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread of a team sets a lock.
// Racy: its part of the region ends with the lock set.
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
  if (omp_get_thread_num() == omp_get_num_threads() - 1) {
    omp_set_lock(&lock); // FINDING(lock-misuse)
    ++value;
  }
  printf("value = %d\n", value);
  return value == 1 ? 0 : 1;
}
