// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A relaxed flag orders nothing by itself; but whoever has seen it takes the lock after the one who raised it, because
// a section that came first could not have read what is written after the other one. So the lock orders the data.
// expect: silent
// threads: 2
#include <omp.h>
#include <stdio.h>

static int data, flag, slot[2], got;

int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      data = 42;
#pragma omp critical
      slot[0] = 1;
#pragma omp atomic write
      flag = 1;
    } else {
      int ready = 0;
      while (!ready) {
#pragma omp atomic read
        ready = flag;
      }
#pragma omp critical
      slot[1] = 1;
      got = data;
    }
  }
  printf("got = %d\n", got);
  return got == 42 && slot[0] + slot[1] == 2 ? 0 : 1;
}
