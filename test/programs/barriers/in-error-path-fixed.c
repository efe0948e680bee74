// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member finds an error and tells the others.
// Fixed: it comes to the barrier.
// threads: 2 4
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int failed, finished;

static int work(int n) { return n == 1 ? -1 : n; }

static void step(int me) {
  if (work(me) < 0) {
#pragma omp atomic write
    failed = 1;
  } else {

#pragma omp atomic
    finished++;
  }
#pragma omp barrier
}

int main(void) {
#pragma omp parallel
  step(omp_get_thread_num());
  printf("%d\n", failed && finished > 0);
  return failed && finished > 0 ? 0 : 1;
}
