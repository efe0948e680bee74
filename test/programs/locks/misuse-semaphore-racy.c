// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A producer lets a consumer go on, one task each, ordered by a dependence.
// Racy: the lock is used as a semaphore: it is unset by the consumer, which does not own it.
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
#pragma omp task depend(out : value)
    {
      omp_set_lock(&lock); // MAY(lock-misuse)
      value = 1;
    }
#pragma omp task depend(in : value)
    {
      printf("consumer\n");
      omp_unset_lock(&lock); // FINDING(lock-misuse)
    }
#pragma omp taskwait
  }
  omp_destroy_lock(&lock);
  printf("value = %d\n", value);
  return value == 1 ? 0 : 1;
}
