// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recursive search, a task for each half, with a counter in every call.
// Racy: a call waits for its children only where it has two of them.
// compilers: clang
// levels: native graph
#include <stdio.h>

static int leaves;

__attribute__((noinline)) static void search(int depth, int width) {
  int level = depth;
  for (int i = 0; i < width; i++) {
#pragma omp task shared(level) firstprivate(width) // FINDING(missing-taskwait) NAMES(level)
    {
      if (level > 1) {
        search(level - 1, width);
      } else {
#pragma omp atomic
        leaves++;
      }
    }
  }
  if (width == 2) {
#pragma omp taskwait
  }
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    search(3, 2);
    search(1, 1);
  }
  printf("leaves = %d\n", leaves > 0);
  return 0;
}
