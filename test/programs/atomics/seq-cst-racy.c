// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Message passing with sequentially consistent atomics.
// Racy: the flag is raised before the data is written.
// threads: 2
#include <omp.h>
#include <stdio.h>

static int data, flag, got;

int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp atomic write seq_cst
      flag = 1;
      data = 42; // RACE(1)
    } else {
      int ready = 0;
      while (!ready) {
#pragma omp atomic read seq_cst
        ready = flag;
      }
      got = data; // RACE(1)
    }
  }
  printf("data = %d\n", data);
  return data == 42 && (got == 42 || got == 0) ? 0 : 1;
}
