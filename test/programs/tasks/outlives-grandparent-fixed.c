// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function's array goes to a task, and from there to the task's own tasks and to theirs.
// Fixed: a taskgroup waits for all of them, or each task for its own; what main's array goes to, the region's end.
// levels: native graph
#include <stdio.h>

static int steps;

__attribute__((noinline)) static void child(void) {
  double row[64];
#pragma omp taskgroup
  {
#pragma omp task shared(row)
    {
#pragma omp task shared(row)
      {
        row[0] = 1;
#pragma omp atomic
        steps++;
      }
    }
#pragma omp taskwait
  }
}

__attribute__((noinline)) static void grandchild(void) {
  double row[64];
#pragma omp task shared(row)
  {
#pragma omp task shared(row)
    {
#pragma omp task shared(row)
      {
        row[0] = 1;
#pragma omp atomic
        steps++;
      }
#pragma omp taskwait
    }
#pragma omp taskwait
  }
#pragma omp taskwait
}

int main(void) {
  double row[64];
#pragma omp parallel shared(row)
#pragma omp single
  {
    for (int i = 0; i < 100; i++) {
      child();
      grandchild();
    }
#pragma omp task shared(row)
    {
#pragma omp task shared(row)
      row[0] = 2;
    }
#pragma omp taskwait
  }
  printf("%d\n", steps);
  return 0;
}
