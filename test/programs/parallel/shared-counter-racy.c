// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every thread of the team counts itself.
// Racy: an increment is a read and a write; nothing makes it atomic.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

int main(void) {
  int count = 0;
#pragma omp parallel
  {
    count++; // RACE(1,1)
  }
  printf("count = %d\n", count);
  return count == omp_get_max_threads() ? 0 : 1;
}
