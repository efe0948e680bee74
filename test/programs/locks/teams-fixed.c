// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock in a league of two teams.
// Fixed: each team has a total and a lock of its own, for its own threads.
#include <omp.h>
#include <stdio.h>

int main(void) {
  omp_lock_t lock[2];
  int total[2] = {0, 0};
  omp_init_lock(&lock[0]);
  omp_init_lock(&lock[1]);
#pragma omp teams num_teams(2) shared(total, lock)
  {
    int team = omp_get_team_num();
#pragma omp parallel num_threads(1)
    {
      omp_set_lock(&lock[team]);
      total[team]++;
      omp_unset_lock(&lock[team]);
    }
  }
  omp_destroy_lock(&lock[0]);
  omp_destroy_lock(&lock[1]);
  printf("both worked: %d\n", total[0] > 0 && total[1] > 0);
  return total[0] > 0 && total[1] > 0 ? 0 : 1;
}
