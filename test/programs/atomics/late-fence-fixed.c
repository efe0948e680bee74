// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Releases that are read by relaxed operations, before the program has met any fence.
// Fixed: the fence afterwards orders what comes after it with what came before each of the releases (C11, 7.17.4), also
// where the value that was read is overwritten by then.
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
      by_store = 1;
      atomic_store_explicit(&stored, 1, memory_order_release);
      by_update = 2;
      atomic_fetch_add_explicit(&updated, 1, memory_order_release);
      overwritten = 3;
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
      atomic_thread_fence(memory_order_acquire);
      got = by_store;
      got += by_update;
      got += overwritten;
    }
  }
  printf("got = %d\n", got);
  return got == 6 ? 0 : 1;
}
