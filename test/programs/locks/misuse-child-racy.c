// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task sets a lock and creates an undeferred task.
// Racy: the child unsets the lock of its parent.
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
#pragma omp task if (0)
      {
        ++value;
        omp_unset_lock(&lock); // FINDING(lock-misuse)
      }
    }
#pragma omp taskwait
  }
  omp_destroy_lock(&lock);
  printf("value = %d\n", value);
  return value == 1 ? 0 : 1;
}
