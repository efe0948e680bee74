// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first thread ends the region for all when it has what they look for.
// Racy: what it found is written and read without an order: who is not cancelled yet may be anywhere.
// threads: 2 8
// environment: OMP_CANCELLATION=true
#include <omp.h>
#include <stdio.h>

int main(void) {
  int found = 0, seen[256] = {0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    if (me == 0) {
      found = 42; // RACE(1)
#pragma omp cancel parallel
    }
    seen[me] = found; // RACE(1)
#pragma omp barrier
    seen[me] += 1;
  }
  printf("found = %d\n", found);
  return found == 42 ? 0 : 1;
}
