// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function's array goes to a task, and from there to the task's own tasks and to theirs.
// Racy: the function waits for its child by a taskwait, but not for those that the child leaves behind.
// compilers: clang
// levels: native graph
#include <stdio.h>

static int steps;
static double seen;

__attribute__((noinline)) static void child(void) {
  double row[64];
#pragma omp task shared(row)
  {
#pragma omp task shared(row) // FINDING(missing-taskwait)
    {
      seen = row[0];
#pragma omp atomic
      steps++;
    }
  }
#pragma omp taskwait
}

__attribute__((noinline)) static void grandchild(void) {
  double row[64];
#pragma omp task shared(row)
  {
#pragma omp task shared(row)
    {
#pragma omp task shared(row) // FINDING(missing-taskwait)
      {
        seen = row[0];
#pragma omp atomic
        steps++;
      }
    }
#pragma omp taskwait
  }
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    child();
#pragma omp taskwait
  }
#pragma omp parallel
#pragma omp single
  {
    grandchild();
#pragma omp taskwait
  }
  printf("%d\n", steps);
  return 0;
}
