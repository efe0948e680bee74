// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cancels a parallel region and a taskgroup with a task that never starts (OMP_CANCELLATION=true).
#include <omp.h>
int main(void) {
  if (!omp_get_cancellation()) return 2;
  int ran = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp cancel parallel
    ran = 1;
  }
#pragma omp parallel num_threads(1)
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp cancel taskgroup
      }
#pragma omp task shared(ran)
      ran = 1;
    }
  }
  return ran;
}
