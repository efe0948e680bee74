// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread of a team has a team of its own.
// Bug: in one of them only its second thread comes to the barrier.
// flags: -fno-optimize-sibling-calls
// threads: 2
// environment: OMP_MAX_ACTIVE_LEVELS=2
// levels: graph
#include <omp.h>
#include <stdio.h>

static int x;

static void inner(int outer) {
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    x++;
    if (outer == 1 && omp_get_thread_num() == 1) {
#pragma omp barrier // FINDING(barrier-mismatch)
    }
  }
}

int main(void) {
#pragma omp parallel num_threads(2)
  inner(omp_get_thread_num());
  printf("x = %d\n", x);
  return x == 4 ? 0 : 1;
}
