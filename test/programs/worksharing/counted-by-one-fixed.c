// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a loop, thread 0 counts in a variable that it alone uses, and thread 1 in another. To the compiler a read of both
// by every thread would do no harm.
// threads: 1 2 8
#include <omp.h>
#include <stdio.h>

static int even, odd;

int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    for (int i = 0; i < 20; i++) {
      if (me == 0 && i % 2 == 0) even++;
      if (me == 1 && i % 3 == 1) odd++;
    }
  }
  printf("%d %d\n", even, odd);
  return even == 10 ? 0 : 1;
}
