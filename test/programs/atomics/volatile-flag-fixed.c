// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread tells another one by a flag that its data is there.
// Fixed: the flag is written and read atomically.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int payload;
static int flag;

int main(void) {
  int got = 0;
#pragma omp parallel num_threads(2) shared(got)
  {
    if (omp_get_thread_num() == 0) {
      payload = 9;
#pragma omp atomic write seq_cst
      flag = 1;
    } else {
      long n = 0;
      int v = 0;
      while (!v && n++ < 2000000) {
#pragma omp atomic read seq_cst
        v = flag;
      }
      if (v) got = payload;
    }
  }
  printf("%d\n", got >= 0);
  return 0;
}
