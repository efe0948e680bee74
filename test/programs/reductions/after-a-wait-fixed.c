// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks add to a reduction after their creator has waited for others: at the end of a taskloop, a taskwait, a barrier.
// Fixed: they take part in the reduction.
#include <stdio.h>

int main(void) {
  int sum = 0, most = 0, all = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(max : most)
  {
#pragma omp taskloop in_reduction(+ : sum) grainsize(2)
    for (int i = 0; i < 8; i++) sum += i;
    for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(max : most) firstprivate(i)
      if (most < i) most = i;
    }
#pragma omp taskwait
    for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
      sum += i;
    }
  }
#pragma omp parallel reduction(task, + : all)
  {
    all++;
#pragma omp barrier
#pragma omp single
    for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(+ : all) firstprivate(i)
      all += i;
    }
  }
  printf("%d %d %d\n", sum, most, all);
  return sum == 34 && most == 3 && all >= 7 ? 0 : 1;
}
