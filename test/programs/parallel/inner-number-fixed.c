// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of inner regions ask for their number, which is the same in each of these teams and says nothing of the
// outer thread.
// Fixed: what they access belongs to the outer thread, by its number, by thread-local memory, or is each task's own.
// expect: silent
// threads: 1 2 4
#include <omp.h>
#include <stdio.h>

static long by_task[64][2], by_ancestor[64][2], by_member[64][2], by_index[4][2];
static _Thread_local long own[2];

int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
#pragma omp single
    for (int i = 0; i < 4; i++) {
#pragma omp task
      {
        const int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        by_task[outer][omp_get_thread_num()]++;
      }
#pragma omp task
      {
#pragma omp parallel num_threads(2)
        by_ancestor[omp_get_ancestor_thread_num(1)][omp_get_thread_num()]++;
      }
#pragma omp task
      {
        long* const mine = own;
#pragma omp parallel num_threads(2)
        mine[omp_get_thread_num()]++;
      }
#pragma omp task
      {
#pragma omp parallel num_threads(2)
        by_index[i][omp_get_thread_num()]++;
      }
    }
#pragma omp parallel num_threads(2)
    by_member[me][omp_get_thread_num()]++;
  }
  puts(by_task[63][0] + by_ancestor[63][0] + by_member[63][0] + by_index[3][0] > 0 ? "done" : "not done");
  return 0;
}
