// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task sets a lock and has a way out without unsetting it, which only one of several takes. The next one waits.
// Fixed: it unsets the lock on that way, too.
// threads: 1 2 8
// levels: native graph
// flags: -fno-optimize-sibling-calls
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int total;

static void add(int value) {
  omp_set_lock(&lock);
  if (value != 2) total += value;
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
