// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A league of two teams on the host.
// Fixed: each team has a place of its own.
#include <omp.h>
#include <stdio.h>

int main(void) {
  int part[2] = {0, 0};
#pragma omp teams num_teams(2) shared(part)
  {
    part[omp_get_team_num()] += omp_get_team_num() + 1;
  }
  printf("sum = %d\n", part[0] + part[1]);
  return part[0] + part[1] == 3 ? 0 : 1;
}
