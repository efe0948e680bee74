// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Message passing with relaxed atomics and flushes that list the variables.
// Fixed: the writer's flush before and the reader's flush after the atomics synchronise (OpenMP 5.1, 1.4.5).
// threads: 2
#include <omp.h>
#include <stdio.h>

static int data, flag, got;

int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      data = 42;
#pragma omp flush(data, flag)
#pragma omp atomic write
      flag = 1;
    } else {
      int ready = 0;
      while (!ready) {
#pragma omp atomic read
        ready = flag;
      }
#pragma omp flush(data, flag)
      got = data;
    }
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
