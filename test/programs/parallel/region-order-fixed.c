// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A limit is set before a region and read by all its threads.
// Fixed: it is changed after the region, which ends with a barrier.
#include <omp.h>
#include <stdio.h>

static int limit = 5;
static int seen[256];

int main(void) {
  limit = 10;
#pragma omp parallel
  {
    seen[omp_get_thread_num()] = limit;
  }
  limit = 20;
  printf("limit = %d, seen by the first thread: %d\n", limit, seen[0]);
  return limit == 20 && seen[0] == 10 ? 0 : 1;
}
