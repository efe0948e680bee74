// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member finds an error and leaves its work out.
// Bug: with the barrier that ends the work.
// flags: -fno-optimize-sibling-calls
// threads: 2 8
// levels: graph
#include <omp.h>
#include <stdio.h>

static int failed, finished;

static int work(int n) { return n == 1 ? -1 : n; }

static void step(int me) {
  if (work(me) < 0) {
#pragma omp atomic write
    failed = 1;
    return;
  }
#pragma omp atomic
  finished++;
#pragma omp barrier // FINDING(barrier-mismatch)
}

int main(void) {
#pragma omp parallel
  step(omp_get_thread_num());
  printf("%d\n", failed && finished > 0);
  return failed && finished > 0 ? 0 : 1;
}
