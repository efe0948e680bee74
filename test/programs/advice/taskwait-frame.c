// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nobody reads what the task writes, but it writes to a variable of the function that returns: the taskwait is needed.
// threads: 2 8
// expect: silent
// environment: FLETCHER_OPTIONS=advise=1
#include <stdio.h>

static void work(int value) {
  int scratch[16];
#pragma omp task shared(scratch)
  for (int i = 0; i < 16; i++) scratch[i] = value * i;
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 4; i++) {
#pragma omp task
    work(i);
  }
  printf("done\n");
}
