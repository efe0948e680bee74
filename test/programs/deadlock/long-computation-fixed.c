// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread computes for long; the others wait at a barrier, at a lock that it holds, and for its tasks.
// threads: 2
// levels: native graph
#include <omp.h>
#include <stdio.h>

static double sum;

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  int locked = 0;
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      omp_set_lock(&lock);
#pragma omp atomic write seq_cst
      locked = 1;
      const double end = omp_get_wtime() + 1.6;
      double s = 0;
      for (int i = 1; omp_get_wtime() < end; i++) s += 1.0 / i;
      sum = s;
      omp_unset_lock(&lock);
    } else if (omp_get_thread_num() == 1) {
      for (int seen = 0; !seen;) {
#pragma omp atomic read seq_cst
        seen = locked;
      }
      omp_set_lock(&lock);
      omp_unset_lock(&lock);
    }
#pragma omp barrier
  }
  omp_destroy_lock(&lock);
  printf("%s\n", sum > 1 ? "done" : "nothing");
  return sum > 1 ? 0 : 1;
}
