// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread of a team leaves a part of its work to a task.
// Fixed: the task is waited for inside the block.
// threads: 2 8
// levels: native graph
#include <omp.h>
#include <stdio.h>

static int got[8];

int main(void) {
#pragma omp parallel
  {
    int mine = omp_get_thread_num();
#pragma omp task shared(mine, got)
    got[mine] = 1;
#pragma omp taskwait
  }
  printf("%d\n", got[0]);
  return got[0] == 1 ? 0 : 1;
}
