// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two critical constructs with hints about how they are used.
// Fixed: one name. All constructs of a name have the same hint.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int total;

__attribute__((noinline)) static void add_often(void) {
#pragma omp critical(often) hint(omp_sync_hint_contended)
  total += 1;
}

__attribute__((noinline)) static void add_rarely(void) {
#pragma omp critical(often) hint(omp_sync_hint_contended)
  total += 2;
}

int main(void) {
#pragma omp parallel num_threads(2 * ((omp_get_max_threads() + 1) / 2))
  {
    if (omp_get_thread_num() % 2 == 0)
      add_often();
    else
      add_rarely();
  }
  printf("total = %d\n", total);
  return total % 3 == 0 ? 0 : 1;
}
