// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of a team add to two sums under a recursive mutex of C11, which the inner function takes again.
// Racy: the outer sum is added to when the mutex was let go.
// threads: 2 8
#include <omp.h>
#include <stdio.h>
#include <threads.h>

static mtx_t mutex;
static int inner, outer;

__attribute__((noinline)) static void add(void) {
  mtx_lock(&mutex);
  inner++;
  mtx_unlock(&mutex);
}

int main(void) {
  mtx_init(&mutex, mtx_plain | mtx_recursive);
#pragma omp parallel
  {
    mtx_lock(&mutex);
    add();
    mtx_unlock(&mutex);
    outer++; // RACE(1,1)
  }
  mtx_destroy(&mutex);
  printf("inner = %d, outer = %d\n", inner, outer);
  return inner == omp_get_max_threads() && outer == inner ? 0 : 1;
}
