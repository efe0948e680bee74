// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each inner team has two locks on the stack of its creator, where those of the team before were: another order every
// time.
// expect: silent
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int total;

static void crew(int turn) {
  omp_lock_t locks[2];
  omp_init_lock(&locks[0]);
  omp_init_lock(&locks[1]);
  int sum = 0;
  omp_lock_t *first = &locks[turn % 2], *second = &locks[1 - turn % 2];
#pragma omp parallel num_threads(2) shared(sum)
  {
    omp_set_lock(first);
    omp_set_lock(second);
    sum++;
    omp_unset_lock(second);
    omp_unset_lock(first);
  }
  omp_destroy_lock(&locks[0]);
  omp_destroy_lock(&locks[1]);
#pragma omp atomic
  total += sum;
}

int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  for (int turn = 0; turn < 10; turn++) crew(turn + omp_get_thread_num());
  printf("%d\n", total > 0);
  return 0;
}
