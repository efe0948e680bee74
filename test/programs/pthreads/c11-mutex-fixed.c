// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of a team use a mutex of C11.
// Fixed: all of them do.
#include <omp.h>
#include <stdio.h>
#include <threads.h>

static mtx_t mutex;
static int total;

__attribute__((noinline)) static void add(void) {
  mtx_lock(&mutex);
  total += 1;
  mtx_unlock(&mutex);
}

__attribute__((noinline)) static void take(void) {
  mtx_lock(&mutex);
  total -= 3;
  mtx_unlock(&mutex);
}

int main(void) {
  mtx_init(&mutex, mtx_plain);
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0)
      take();
    else
      add();
  }
  mtx_destroy(&mutex);
  printf("total = %d\n", total);
  return total == omp_get_max_threads() - 4 ? 0 : 1;
}
