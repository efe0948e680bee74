// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workers report progress in a critical section, the primary thread looks at it.
// Racy: it reads without the section.
// threads: 2 8
#include <omp.h>
#include <stdio.h>

static int progress;

__attribute__((noinline)) static void work(void) {
#pragma omp critical
  progress++; // RACE(1)
}

__attribute__((noinline)) static int look(void) {
  int now;
  now = progress; // RACE(1)
  return now;
}

int main(void) {
  int seen = -1;
#pragma omp parallel shared(seen)
  {
    if (omp_get_thread_num() == 0)
      seen = look();
    else
      work();
  }
  int most = omp_get_max_threads() - 1;
  printf("progress = %d\n", progress);
  return seen >= 0 && seen <= most && progress == most ? 0 : 1;
}
