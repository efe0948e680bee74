// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task sets a lock and has a way out without unsetting it, which only one of several takes. The next one waits.
// Racy: nobody may unset the lock any more, so it waits for ever.
// threads: 1 2 8
// levels: native graph
// flags: -fno-optimize-sibling-calls
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int total;

static void add(int value) {
  omp_set_lock(&lock); // FINDING(dependence-cycle) FINDING(lock-misuse)
  if (value == 2) return;
  total += value;
  omp_unset_lock(&lock);
}

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  for (int i = 1; i <= 4; i++) {
#pragma omp task depend(inout : total) firstprivate(i)
    add(i);
  }
  omp_destroy_lock(&lock);
  printf("%d\n", total);
  return 0;
}
