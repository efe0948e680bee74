// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every thread of the team counts itself.
// Fixed: the increment is atomic.
#include <omp.h>
#include <stdio.h>

int main(void) {
  int count = 0;
#pragma omp parallel
  {
#pragma omp atomic
    count++;
  }
  printf("count = %d\n", count);
  return count == omp_get_max_threads() ? 0 : 1;
}
