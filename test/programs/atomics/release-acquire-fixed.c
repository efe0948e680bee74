// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Message passing: data, then a flag.
// Fixed: a release write that an acquire read sees synchronises (OpenMP 5.1, 1.4.5).
// threads: 2
#include <omp.h>
#include <stdio.h>

static int data, flag, got;

int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      data = 42;
#pragma omp atomic write release
      flag = 1;
    } else {
      int ready = 0;
      while (!ready) {
#pragma omp atomic read acquire
        ready = flag;
      }
      got = data;
    }
  }
  printf("got = %d\n", got);
  return got == 42 ? 0 : 1;
}
