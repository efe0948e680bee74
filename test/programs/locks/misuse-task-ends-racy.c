// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task sets a lock.
// Racy: it ends without unsetting it. Nobody else may do that.
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
      omp_set_lock(&lock); // FINDING(lock-misuse)
      ++value;
    }
#pragma omp taskwait
  }
  printf("value = %d\n", value);
  return value == 1 ? 0 : 1;
}
