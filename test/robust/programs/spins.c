// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread waits for a flag for many turns, with a flush in each, as before OpenMP had acquire and release.
#include <stdio.h>

static int flag, data;

int main(void) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      int seen;
      long turns = 0;
      do {
#pragma omp flush
#pragma omp atomic read
        seen = flag;
        turns++;
      } while (!seen || turns < 100000);
#pragma omp flush
      data++;
    }
#pragma omp section
    {
      data = 1;
#pragma omp flush
#pragma omp atomic write
      flag = 1;
    }
  }
  printf("%d\n", data);
  return 0;
}
