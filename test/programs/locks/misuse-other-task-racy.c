// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One task sets a lock, a later one unsets it.
// Racy: a lock belongs to the task that set it; another one must not unset it, even on the same thread.
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
      omp_set_lock(&lock); // MAY(lock-misuse)
      ++value;
    }
#pragma omp taskwait
#pragma omp task
    {
      ++value;
      omp_unset_lock(&lock); // FINDING(lock-misuse)
    }
#pragma omp taskwait
  }
  omp_destroy_lock(&lock);
  printf("value = %d\n", value);
  return value == 2 ? 0 : 1;
}
