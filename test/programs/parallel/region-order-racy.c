// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A limit is set before a region and read by all its threads.
// Racy: the primary thread changes it while the others may still read.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int limit = 5;
static int seen[256];

int main(void) {
  limit = 10;
#pragma omp parallel
  {
    seen[omp_get_thread_num()] = limit;        // RACE(1)
    if (omp_get_thread_num() == 0) limit = 20; // RACE(1)
  }
  printf("limit = %d, seen by the first thread: %d\n", limit, seen[0]);
  return limit == 20 && seen[0] == 10 ? 0 : 1;
}
