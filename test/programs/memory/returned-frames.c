// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks, and their creator while they may run, call a function that works in a large array on the stack.
// Silent: a task that starts in the creator's taskwait gets stack addresses of calls that have returned.
// expect: silent
#include <stdio.h>
#include <string.h>

enum { rounds = 20, n = 4096 };

__attribute__((noinline)) static void fill(char* room, char with) {
  for (int i = 0; i < n; i++) room[i] = (char)(with + i);
}

__attribute__((noinline)) static int work(char with) {
  char room[n];
  memset(room, 0, sizeof room);
  fill(room, with);
  return room[n / 2];
}

int main(void) {
  int sums[2] = {0, 0};
#pragma omp parallel
#pragma omp single
  for (int r = 0; r < rounds; r++) {
#pragma omp task shared(sums)
    sums[0] += work(1);
    sums[1] += work(2);
#pragma omp taskwait
  }
  printf("sums = %d %d\n", sums[0], sums[1]);
  return sums[0] == rounds && sums[1] == 2 * rounds ? 0 : 1;
}
