// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Message passing with relaxed atomics, a release flush and an acquire flush.
// Racy: the release flush comes after the flag.
// threads: 2
#include <omp.h>
#include <stdio.h>

static int data, flag, got;

int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      data = 42; // RACE(1)
#pragma omp atomic write
      flag = 1;
#pragma omp flush release
    } else {
      int ready = 0;
      while (!ready) {
#pragma omp atomic read
        ready = flag;
      }
#pragma omp flush acquire
      got = data; // RACE(1)
    }
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
