// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier built of a lock and a counter: whoever arrives counts itself, and looks until all are there.
// expect: silent
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static omp_lock_t lock;
static int arrived, part[256], sum[256];

__attribute__((noinline)) static void wait_for_all(int n) {
  omp_set_lock(&lock);
  arrived++;
  omp_unset_lock(&lock);
  for (int all = 0; !all;) {
    omp_set_lock(&lock);
    all = arrived == n;
    omp_unset_lock(&lock);
  }
}

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
  {
    int me = omp_get_thread_num(), n = omp_get_num_threads();
    part[me] = me + 1;
    wait_for_all(n);
    int total = 0;
    for (int i = 0; i < n; i++) total += part[i];
    sum[me] = total;
  }
  omp_destroy_lock(&lock);
  int n = omp_get_max_threads();
  printf("sum = %d\n", sum[0]);
  return sum[0] == n * (n + 1) / 2 && sum[n - 1] == sum[0] ? 0 : 1;
}
