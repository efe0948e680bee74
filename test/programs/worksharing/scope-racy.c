// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every thread writes its element in a scope construct, then reads its neighbour's.
// Racy: nowait removes the barrier at the scope's end.
// threads: 2 8
// compilers: gcc
#include <omp.h>
#include <stdio.h>

static int written[256], got[256];

int main(void) {
  int threads = 0;
#pragma omp parallel shared(threads)
  {
    const int me = omp_get_thread_num(), all = omp_get_num_threads();
    if (me == 0) threads = all;
#pragma omp scope nowait
    written[me] = me + 1;              // RACE(1)
    got[me] = written[(me + 1) % all]; // RACE(1)
  }
  printf("threads = %d, got = %d\n", threads, got[0]);
  return got[0] == 2 ? 0 : 1;
}
