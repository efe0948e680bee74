// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function returns early where there is nothing to do.
// Racy: it forgets the lock.
// threads: 1 2 8
// levels: native graph
// flags: -fno-optimize-sibling-calls
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int value;

__attribute__((noinline)) static void add(int amount) {
  omp_set_lock(&lock); // FINDING(lock-misuse)
  if (amount == 0) {
    return;
  }
  value += amount;
  omp_unset_lock(&lock);
}

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(inout : value)
    add(1);
#pragma omp task depend(inout : value)
    add(0);
#pragma omp taskwait
  }
  printf("value = %d\n", value);
  return value == 1 ? 0 : 1;
}
