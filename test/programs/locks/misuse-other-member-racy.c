// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two threads of a team; a barrier separates what they do.
// Racy: one sets a lock, the other one unsets it.
// threads: 2 8
// levels: native graph
// flags: -fno-optimize-sibling-calls
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int value;

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&lock); // MAY(lock-misuse)
      ++value;
    }
#pragma omp barrier
    if (omp_get_thread_num() == 1) {
      ++value;
      omp_unset_lock(&lock); // FINDING(lock-misuse)
    }
  }
  omp_destroy_lock(&lock);
  printf("value = %d\n", value);
  return value == 2 ? 0 : 1;
}
