// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All threads add to a counter.
// Racy: one of them without atomic.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int count;

__attribute__((noinline)) static void add_plain(void) {
  count += 5; // RACE(1)
}

__attribute__((noinline)) static void add_atomic(void) {
#pragma omp atomic
  count += 1; // RACE(1)
}

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0)
      add_plain();
    else
      add_atomic();
  }
  printf("count = %d\n", count);
  return count == omp_get_max_threads() + 4 ? 0 : 1;
}
