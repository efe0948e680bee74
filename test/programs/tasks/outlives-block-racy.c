// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread of a team leaves a part of its work to a task.
// Racy: the variable ends with the region's block; the barrier that would wait for the task comes after that.
// compilers: clang
// threads: 2 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int got[8];

int main(void) {
#pragma omp parallel
  {
    int mine = omp_get_thread_num(); // ALSO(slot)
#pragma omp task shared(mine, got)   // FINDING(missing-taskwait) NAMES(mine)
    got[(unsigned)mine % 8] = 1;     // ALSO(slot)
  }
  printf("%d\n", got[0] >= 0);
  return 0;
}
