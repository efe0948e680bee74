// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread tells another one by a flag that its data is there.
// Racy: the flag is volatile, which is no synchronisation.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int payload;
static volatile int flag;

int main(void) {
  int got = 0;
#pragma omp parallel num_threads(2) shared(got)
  {
    if (omp_get_thread_num() == 0) {
      payload = 9; // ALSO(2)
      flag = 1;    // RACE(1)
    } else {
      long n = 0;
      int v = 0;
      while (!v && n++ < 2000000) {
        v = flag; // RACE(1)
      }
      if (v) got = payload; // ALSO(2)
    }
  }
  printf("%d\n", got >= 0);
  return 0;
}
