// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Releases that are read by relaxed operations, before the program has met any fence.
// Racy: there is no fence afterwards either, so nothing is ordered with what came before the releases.
// threads: 2
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>

static int by_store, by_update, overwritten, got;
static atomic_int stored, updated, passing, seen;

static void wait_for(atomic_int* flag, int value) {
  while (atomic_load_explicit(flag, memory_order_relaxed) != value) {
  }
}

int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      by_store = 1; // RACE(1)
      atomic_store_explicit(&stored, 1, memory_order_release);
      by_update = 2; // RACE(2)
      atomic_fetch_add_explicit(&updated, 1, memory_order_release);
      overwritten = 3; // RACE(3)
      atomic_store_explicit(&passing, 1, memory_order_release);
      wait_for(&seen, 1);
      atomic_store_explicit(&passing, 2, memory_order_relaxed);
    } else {
      wait_for(&stored, 1);
      int expected = 1;
      while (!atomic_compare_exchange_weak_explicit(&updated, &expected, 2, memory_order_relaxed, memory_order_relaxed))
        expected = 1;
      wait_for(&passing, 1);
      atomic_store_explicit(&seen, 1, memory_order_relaxed);
      wait_for(&passing, 2);
      got = by_store;     // RACE(1)
      got += by_update;   // RACE(2)
      got += overwritten; // RACE(3)
    }
  }
  printf("got = %d\n", got);
  return got == 6 ? 0 : 1;
}
