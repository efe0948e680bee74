// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A critical construct in a league of two teams.
// Fixed: an atomic update excludes all threads of the device (OpenMP 5.1, 2.19.7).
#include <omp.h>
#include <stdio.h>

int main(void) {
  int total = 0;
#pragma omp teams num_teams(2) shared(total)
#pragma omp parallel num_threads(1)
#pragma omp atomic
  total++;
  printf("some worked: %d\n", total > 0);
  return total > 0 ? 0 : 1;
}
