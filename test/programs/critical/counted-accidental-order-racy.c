// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thread 0 prepares and then counts, thread 1 counts and then prepares.
// Racy: nothing makes thread 0 the first one that counts. Where it was, the race is predicted: nobody looks at the
// count before the region ends.
// threads: 2 8
// compilers: clang
// builds: driver
#include <omp.h>
#include <stdio.h>

static int prepared, most;

int main(void) {
  int hits = 0;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    if (me == 0) prepared = 1; // RACE(1)
    if (me < 2) {
#pragma omp critical
      {
        hits++;
        if (most < me) most = me;
      }
    }
    if (me == 1) prepared = 2; // RACE(1)
  }
  printf("hits = %d, most = %d\n", hits, most);
  return prepared != 0 && hits == 2 && most == 1 ? 0 : 1;
}
