// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A worksharing loop in a function that the last thread of the team does not call.
// Bug: the loop ends with a barrier.
// flags: -fno-optimize-sibling-calls
// threads: 4
// levels: graph
#include <omp.h>
#include <stdio.h>

static int a[64];

static void fill(void) {
#pragma omp for schedule(dynamic)        // FINDING(barrier-mismatch,1)
  for (int i = 0; i < 64; i++) a[i] = i; // FINDING(barrier-mismatch,1)
}

int main(void) {
#pragma omp parallel // FINDING(barrier-mismatch,1)
  {
    if (omp_get_thread_num() + 1 < omp_get_num_threads()) fill();
  }
  printf("last = %d\n", a[63]);
  return a[63] == 63 ? 0 : 1;
}
