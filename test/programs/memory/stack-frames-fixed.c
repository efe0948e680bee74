// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks work in arrays on the stack.
// Fixed: each in its own frame; tasks that run one after the other on a thread have the same frame addresses.
#include <stdio.h>

enum { tasks = 40, n = 8 };
static int result[tasks];

__attribute__((noinline)) static int fill_and_sum(int* frame, int seed) {
  int sum = 0;
  for (int i = 0; i < n; i++) frame[i] = seed + i;
  for (int i = 0; i < n; i++) sum += frame[i];
  return sum;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    for (int t = 0; t < tasks; t++) {
#pragma omp task firstprivate(t)
      {
        int frame[n];
        result[t] = fill_and_sum(frame, t);
      }
    }
#pragma omp taskwait
  }
  printf("result = %d %d\n", result[0], result[tasks - 1]);
  return result[0] == 28 && result[tasks - 1] == 28 + n * (tasks - 1) ? 0 : 1;
}
