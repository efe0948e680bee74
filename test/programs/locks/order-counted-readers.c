// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readers share a lock: the first one sets it, the last one unsets it, and both do so with the count's lock in hand.
// That is the opposite of the order in which the last one took them, but whoever holds the inner lock is counted, so
// that nobody asks for it meanwhile. Each unsets what it set: they come one after the other.
// expect: silent
// threads: 2 4 8
#include "one-at-a-time.h"
#include <omp.h>
#include <stdio.h>

static omp_lock_t count_lock, data_lock;
static int readers, data = 7, seen;

static void enter(void) {
  omp_set_lock(&count_lock);
  if (readers++ == 0) omp_set_lock(&data_lock);
  omp_unset_lock(&count_lock);
}

static void leave(void) {
  omp_set_lock(&count_lock);
  if (--readers == 0) omp_unset_lock(&data_lock);
  omp_unset_lock(&count_lock);
}

int main(void) {
  omp_init_lock(&count_lock);
  omp_init_lock(&data_lock);
#pragma omp parallel
  {
    begin_alone();
    enter();
    const int mine = data;
    leave();
    end_alone();
#pragma omp atomic
    seen += mine;
  }
  omp_destroy_lock(&data_lock);
  omp_destroy_lock(&count_lock);
  printf("%d\n", seen > 0);
  return 0;
}
