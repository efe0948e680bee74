// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nobody reads what the innermost task writes, but it writes to a variable of the function that waits for its parent:
// the parent's own taskwait is needed, too.
// threads: 2 8
// expect: silent
// environment: FLETCHER_OPTIONS=advise=1
#include <stdio.h>

static void work(int value) {
  int scratch = 0;
#pragma omp task shared(scratch)
  {
#pragma omp task shared(scratch)
    scratch = value;
#pragma omp taskwait
  }
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
