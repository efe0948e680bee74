// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop prepares a job and creates a task for it.
// Fixed: each task has a copy; the runtime gives the memory of a finished task to the next.
#include <stdio.h>

enum { tasks = 40, n = 16 };
struct job {
  int values[n];
};
static int result[tasks];

__attribute__((noinline)) static void prepare(struct job* job, int value) {
  for (int i = 0; i < n; i++) job->values[i] = value;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    struct job job;
    for (int t = 0; t < tasks; t++) {
      prepare(&job, t);
#pragma omp task firstprivate(t, job)
      for (int i = 0; i < n; i++) result[t] += job.values[i];
    }
#pragma omp taskwait
  }
  printf("result = %d %d\n", result[0], result[tasks - 1]);
  return result[0] == 0 && result[tasks - 1] == n * (tasks - 1) ? 0 : 1;
}
