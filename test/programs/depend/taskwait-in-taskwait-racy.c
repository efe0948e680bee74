// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task waits for one of its children by taskwait depend, and its thread executes another task meanwhile, which waits
// the same way. Racy: the last child is not among those that it waits for.
#include <stdio.h>

static int parts[64], sums[8];

static void sum(int group) {
  int* mine = &parts[group * 8];
  char done, other;
  for (int i = 0; i < 7; i++) {
#pragma omp task firstprivate(i) depend(inout : done)
    mine[i] = i;
  }
#pragma omp task depend(inout : other)
  mine[7] = 7; // RACE(1)
#pragma omp taskwait depend(in : done)
  for (int i = 0; i < 8; i++) sums[group] += mine[i]; // RACE(1)
#pragma omp taskwait
}

int main(void) {
  for (int round = 0; round < 2; round++) {
#pragma omp parallel
#pragma omp single
    for (int group = 0; group < 8; group++) {
#pragma omp task firstprivate(group)
      sum(group);
    }
  }
  int total = 0;
  for (int group = 0; group < 8; group++) total += sums[group];
  printf("total = %d\n", total);
  return total == 448 ? 0 : 1;
}
