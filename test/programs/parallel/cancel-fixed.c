// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first thread ends the region for all when it has what they look for.
// Fixed: the others leave what it found alone until the region is over.
// environment: OMP_CANCELLATION=true
#include <omp.h>
#include <stdio.h>

int main(void) {
  int found = 0, sum = 0, seen[256] = {0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    seen[me] = 1;
    if (me == 0) {
      found = 42;
#pragma omp cancel parallel
    }
#pragma omp barrier
    seen[me] += 1;
  }
  for (int i = 0; i < 256; i++) sum += seen[i];
#pragma omp parallel
  {
#pragma omp atomic
    sum += found;
  }
  printf("found = %d\n", found);
  return found == 42 && sum >= 43 ? 0 : 1;
}
